import { deriveInstallationKeys, equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { ChallengeId, newId, PersonId, SignatureId } from '#core/ids.ts'
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const SECRET = Buffer.alloc(32, 7)
const keys = deriveInstallationKeys(SECRET)
const CHALLENGE = ChallengeId.parse('0a9b8c7d-6e5f-4a3b-8c1d-0e9f8a7b6c5d')
const SIGNATURE = SignatureId.parse('6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00')

describe('the installation key', () => {
  test.each([0, 16, 31, 33, 64])('is rejected with %d bytes', (length) => {
    expect(() => deriveInstallationKeys(Buffer.alloc(length))).toThrow('32 bytes')
  })

  test('derives the same keys at every start', () => {
    const again = deriveInstallationKeys(Buffer.from(SECRET))
    expect(again.presign.equals(keys.presign)).toBe(true)
    expect(again.otpDigest(CHALLENGE, '123456')).toEqual(keys.otpDigest(CHALLENGE, '123456'))
    expect(again.verificationCode(SIGNATURE)).toBe(keys.verificationCode(SIGNATURE))
    expect(again.proof).toEqual(keys.proof)
    expect(again.open(keys.seal('x', 'y'), 'y')).toBe('x')
  })

  test('of another installation decrypts and confirms nothing', () => {
    const other = deriveInstallationKeys(randomBytes(32))
    expect(() => other.open(keys.seal('x', 'y'), 'y')).toThrow()
    expect(other.verificationCode(SIGNATURE)).not.toBe(keys.verificationCode(SIGNATURE))
    expect(other.otpDigest(CHALLENGE, '123456')).not.toEqual(keys.otpDigest(CHALLENGE, '123456'))
    expect(other.presign.equals(keys.presign)).toBe(false)
    expect(other.proof).not.toEqual(keys.proof)
  })

  test('derives another key for each purpose, none of them the secret', () => {
    const verification = createHmac('sha256', keys.presign).update(SIGNATURE).digest().subarray(0, 16).toString('base64url')
    expect(verification).not.toBe(keys.verificationCode(SIGNATURE))
    expect(keys.presign.symmetricKeySize).toBe(32)
    expect(keys.presign.export()).not.toEqual(SECRET)
  })
})

describe('a verification code', () => {
  test('is 16 bytes in 22 characters that are safe in a QR code and a URL', () => {
    for (let round = 0; round < 200; round++) {
      const code = keys.verificationCode(newId(SignatureId))
      expect(code).toMatch(/^[A-Za-z0-9_-]{22}$/)
      expect(Buffer.from(code, 'base64url')).toHaveLength(16)
    }
  })

  // HKDF-SHA-256 of 32 bytes 07 without salt, then HMAC-SHA-256 over the id, its first 16 bytes: as another implementation computes it.
  test('never changes for an id: printed seals stay valid', () => {
    expect(keys.verificationCode(SIGNATURE)).toBe('iVKnMw8tH4VAhifGykyAjQ')
  })
})

describe('the digest of a one-time code', () => {
  test('is bound to its challenge and to every digit', () => {
    const digests = [
      keys.otpDigest(CHALLENGE, '123456'),
      keys.otpDigest(newId(ChallengeId), '123456'),
      keys.otpDigest(CHALLENGE, '123457'),
      keys.otpDigest(CHALLENGE, '012345'),
      keys.otpDigest(CHALLENGE, '12345'),
      keys.otpDigest(CHALLENGE, ''),
    ]
    for (const digest of digests) expect(digest).toHaveLength(32)
    expect(new Set(digests.map((digest) => digest.toString('hex'))).size).toBe(digests.length)
  })
})

describe('secrets', () => {
  test.each([
    ['same', 'abc', 'abc', true],
    ['empty', '', '', true],
    ['different in one byte', 'abc', 'abd', false],
    ['of different length', 'abc', 'abcd', false],
    ['partly empty', 'abc', '', false],
  ])('that are %s are compared without an error', (_, left, right, equal) => {
    expect(equalSecrets(Buffer.from(left), Buffer.from(right))).toBe(equal)
    expect(equalSecrets(Buffer.from(right), Buffer.from(left))).toBe(equal)
  })
})

describe('the tokens of the panel', () => {
  const PERSON = PersonId.parse('3c7e0e34-9a0b-4b59-8a52-5d1f0f6f7e11')
  const session = Buffer.alloc(32, 1)

  test('are bound to session, person and browser', () => {
    expect(keys.csrfToken(session)).toMatch(/^[\w-]{43}$/)
    expect(keys.csrfToken(session)).not.toBe(keys.csrfToken(Buffer.alloc(32, 2)))
    expect(keys.deviceProof(PERSON, 'a')).not.toBe(keys.deviceProof(PERSON, 'b'))
    expect(keys.deviceProof(PERSON, 'a')).not.toBe(keys.deviceProof(newId(PersonId), 'a'))
    expect(keys.signInSubject('a')).not.toEqual(keys.signInSubject('b'))
  })

  test('differ between installations and are the same at every start', () => {
    const other = deriveInstallationKeys(randomBytes(32))
    const again = deriveInstallationKeys(Buffer.from(SECRET))
    for (const give of [
      (of: typeof keys) => of.csrfToken(session),
      (of: typeof keys) => of.deviceProof(PERSON, 'a'),
      (of: typeof keys) => of.signInSubject('a').toString('hex'),
    ]) {
      expect(give(again)).toBe(give(keys))
      expect(give(other)).not.toBe(give(keys))
    }
  })

  test('cannot be derived from each other', () => {
    const csrf = keys.csrfToken(Buffer.from('a'))
    expect(keys.signInSubject('a').toString('base64url')).not.toBe(csrf)
  })
})

describe('the MAC of the audit trail', () => {
  test('is bound to its statement and to the installation', () => {
    const other = deriveInstallationKeys(randomBytes(32))
    expect(keys.auditMac('row 1')).toHaveLength(32)
    expect(keys.auditMac('row 1')).toEqual(keys.auditMac('row 1'))
    expect(keys.auditMac('row 1')).not.toEqual(keys.auditMac('row 2'))
    expect(keys.auditMac('row 1')).not.toEqual(other.auditMac('row 1'))
    // As another implementation computes it: HKDF-SHA-256 of 32 bytes 07 without salt, then HMAC-SHA-256.
    const key = hkdfSync('sha256', SECRET, '', 'sealwright audit trail v1', 32)
    expect(keys.auditMac('row 1')).toEqual(createHmac('sha256', Buffer.from(key)).update('row 1').digest())
  })
})
