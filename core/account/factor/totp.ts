// Codes of authenticator apps (RFC 6238), with the parameters that all of them support: SHA-1, 6 digits, 30 seconds.
import { Secret, TOTP } from 'otpauth'
import { CODE_DIGITS, DRIFT_STEPS, STEP_SECONDS } from './rules.ts'

const ISSUER = 'Sealwright'
/** 160 bits, the length of the HMAC's result (RFC 4226, 4). */
const SECRET_BYTES = 20

/** A new secret in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The URI that an app reads from the QR code. */
export function toOtpauthUri(secret: string, email: string): string {
  return generatorOf(secret, email).toString()
}

/** The time step of a code, which may differ from now by one; undefined when it is wrong. Takes the same time for every code. */
export function matchingStep(secret: string, digits: string, nowSeconds: number): number | undefined {
  const timestamp = nowSeconds * 1_000
  const delta = generatorOf(secret).validate({ token: digits, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(nowSeconds / STEP_SECONDS) + delta
}

function generatorOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: CODE_DIGITS,
    period: STEP_SECONDS,
  })
}
