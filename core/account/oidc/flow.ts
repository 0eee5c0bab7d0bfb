// The state that a browser carries through a sign-in: encrypted, so that it can be neither read nor forged, and short-lived.
import { z } from 'zod'
import type { Core } from '#core/context.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'

const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
})
export type Flow = Omit<z.infer<typeof Flow>, 'expiresAt'>

const CONTEXT = 'oidc flow'
/** Enough time for a second factor and a forgotten password. */
export const FLOW_SECONDS = 15 * 60

/** The text for the browser. */
export async function sealFlow({ keys, database }: Pick<Core, 'keys' | 'database'>, flow: Flow): Promise<string> {
  const expiresAt = (await databaseNow(database)).getTime() + FLOW_SECONDS * 1_000
  return keys.seal(JSON.stringify({ ...flow, expiresAt }), CONTEXT).toString('base64url')
}

/** The state, or undefined for a text that is not ours or is too old. */
export async function openFlow({ keys, database }: Pick<Core, 'keys' | 'database'>, text: string): Promise<Flow | undefined> {
  const opened = unseal(keys, text)
  if (opened === undefined) return undefined
  const { expiresAt, ...flow } = Flow.parse(JSON.parse(opened))
  return (await databaseNow(database)).getTime() < expiresAt ? flow : undefined
}

function unseal(keys: Core['keys'], text: string): string | undefined {
  try {
    return keys.open(Buffer.from(text, 'base64url'), CONTEXT)
  } catch {
    return undefined // forged, cut or made with another installation's key
  }
}
