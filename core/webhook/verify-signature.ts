// Verifies the signature of a delivery, as a receiver does.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds by which the time of a signature may differ from the receiver's clock, in both directions. */
const TOLERANCE_SECONDS = 300

/** True when any `v1` of an X-Svc-Signature header was made from the body with one of the secrets. */
export function isSignatureValid(header: string, body: Buffer, secrets: readonly string[], nowSeconds: number): boolean {
  const fields = header.split(',').map((field) => field.split('='))
  const time = fields.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false
  const given = fields.flatMap(([name, value = '']) => (name === 'v1' ? [Buffer.from(value)] : []))
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
    return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected))
  })
}
