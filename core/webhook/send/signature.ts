// The signature of a delivery, in the format that Stripe's libraries verify.
import { createHmac } from 'node:crypto'

/** The value of X-Svc-Signature: `t=<seconds>,v1=<hex>[,v1=<hex>]`; newest secret first. Each digest is the HMAC-SHA-256 over `<t>.<body>`; the key
 *  is the whole text of the secret, with its prefix. Throws without a secret or when the time is not in whole seconds. */
export function signatureHeader(atSeconds: number, body: Buffer, secrets: readonly string[]): string {
  if (secrets.length === 0 || secrets.includes('')) throw new Error('A webhook delivery needs a secret to sign with.')
  if (!Number.isSafeInteger(atSeconds)) throw new Error('The time of a signature is in whole seconds.')
  // No spaces and lower-case hex: Stripe's parser accepts nothing else.
  return [`t=${atSeconds}`, ...secrets.map((secret) => `v1=${digest(secret, atSeconds, body)}`)].join(',')
}

function digest(secret: string, atSeconds: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${atSeconds}.`).update(body).digest('hex')
}
