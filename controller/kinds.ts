// The kinds of custom resources that the operator keeps in step with Postgres.
import type { MirroredKind } from './projection/kind.ts'
import { SIGNING_KEY_MIRROR } from './signing-key/watch.ts'
import { WEBHOOK_KIND } from './webhook-subscription/watch.ts'

export const KINDS: readonly MirroredKind[] = [WEBHOOK_KIND, SIGNING_KEY_MIRROR]
