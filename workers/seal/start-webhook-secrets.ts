// The loop of the seal role that reads the Secrets that webhooks managed in Kubernetes name: no other role may read Secrets.
import type { StorelessCore } from '#core/context.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import { readDueSecrets } from '#core/webhook/mirror/read-due-secrets.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'
import type { Loop } from '../runtime/loop.ts'

/** A webhook that names a Secret waits for it. */
const POLL_MS = 1_000

/** Runs until disposed. */
export function startWebhookSecrets(core: StorelessCore, secrets: SecretReader): Loop {
  return startDrainLoop({
    name: 'webhook secrets',
    step: () => readDueSecrets(core, secrets),
    pollMs: POLL_MS,
    restMs: 0,
    concurrency: 1,
    log: core.log,
  })
}
