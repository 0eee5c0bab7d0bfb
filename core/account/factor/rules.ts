// The codes that prove a second factor, as people type them.

/** One code of an authenticator app is valid for this long (RFC 6238, 4.1), and one step earlier or later: clocks differ. */
export const STEP_SECONDS = 30
export const DRIFT_STEPS = 1
export const CODE_DIGITS = 6

/** 120 bits: enough for a fast hash without salt (ASVS 6.5.2). */
export const RECOVERY_CODE_BYTES = 15
const RECOVERY_CODE = /^[0-9A-HJKMNP-TV-Z]{24}$/
/** Crockford's base32: no letter that is read as a digit. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }

export type EnteredCode = { kind: 'app'; digits: string } | { kind: 'recovery'; code: string }

/** What was entered, in any case, with or without spaces and hyphens; undefined when it can be neither. */
export function readCode(entered: string): EnteredCode | undefined {
  const plain = entered.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(plain)) return { kind: 'app', digits: plain }
  const code = plain.replaceAll(/[OIL]/g, (letter) => LOOKALIKES[letter] ?? letter)
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : undefined
}

/** The recovery code of 15 random bytes, without its hyphens. */
export function toRecoveryCode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => SYMBOLS[Number.parseInt(five, 2)]).join('')
}

/** A recovery code as it is shown: groups of four. */
export function inGroups(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-')
}
