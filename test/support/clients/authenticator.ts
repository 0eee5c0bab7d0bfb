// An authenticator app: the codes of a secret, by the clock of the test's database.
import { createHmac } from 'node:crypto'
import { type PanelClient, PASSWORD } from './panel-client.ts'

/** The code (RFC 6238, with the six digits of RFC 4226) at `offsetSeconds` from now, as `moveClock` counts. */
export function appCode(secret: string, offsetSeconds = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor((Date.now() / 1_000 + offsetSeconds) / 30)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! & 0xf) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** A code that none of the steps around the moment has. */
export function wrongCode(secret: string, offsetSeconds = 0): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => appCode(secret, offsetSeconds + seconds))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
}

export interface TestFactor {
  secret: string
  recoveryCodes: string[]
}

/** Sets up a second factor for the person of the session. The code at `offsetSeconds` is used up. */
export async function setUpFactor(browser: PanelClient, offsetSeconds = 0): Promise<TestFactor> {
  const { body: begun } = await browser.post('/factor', { currentPassword: PASSWORD })
  const { status, body } = await browser.post('/factor/confirm', { code: appCode(begun.secret, offsetSeconds) })
  if (status !== 200) throw new Error(`Could not set up a second factor: ${status} ${JSON.stringify(body)}`)
  return { secret: begun.secret, recoveryCodes: body.recoveryCodes }
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (symbol) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(symbol).toString(2).padStart(5, '0')).join(
    '',
  )
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}
