// Checks a delivery that arrived at the receiver of the embedded run.
import type { StorelessCore } from '#core/context.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'
import { secretContext } from './secret.ts'
import { selectSecretsAtPort } from './store.ts'
import { isSignatureValid } from './verify-signature.ts'

/** When it arrived, and whether a webhook of any organisation with this port in its URL signed it. Needs a database of the system role. */
export async function checkDelivery(
  { database, keys }: Pick<StorelessCore, 'database' | 'keys'>,
  port: number,
  { signature = '', body }: { signature?: string | undefined; body: Buffer },
): Promise<{ at: Date; signatureValid: boolean }> {
  const at = await currentTime(database)
  const secrets = (await selectSecretsAtPort(database, port)).flatMap(({ id, secretBox, previousSecretBox }) =>
    [secretBox, previousSecretBox].flatMap((box) => (box ? [keys.open(box, secretContext(id))] : [])),
  )
  return { at, signatureValid: isSignatureValid(signature, body, secrets, Math.floor(at.getTime() / 1000)) }
}
