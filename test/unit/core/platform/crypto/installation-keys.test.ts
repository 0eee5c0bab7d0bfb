import { deriveInstallationKeys, equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { deriveKeySet } from '#core/platform/crypto/key-set.ts'
import { retiredContext, writeRetired } from '#core/platform/crypto/retired-key.ts'
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

describe('two keys, while one is replaced', () => {
  const NEXT = Buffer.alloc(32, 8)
  const next = deriveInstallationKeys(NEXT)
  const person = newId(PersonId)
  const session = randomBytes(32)

  test('read what either has made, and write with the one that is named', () => {
    const both = deriveInstallationKeys(NEXT, SECRET)
    for (const writer of [keys, next]) {
      expect(both.use({ proof: writer.proof, retired: [] })).toBe(true)
      expect([both.proof, both.storeMark, both.auditMac('row')]).toEqual([writer.proof, writer.storeMark, writer.auditMac('row')])
      expect(writer.open(both.seal('secret', 'row'), 'row')).toBe('secret')
      for (const maker of [keys, next]) {
        expect(both.open(maker.seal('secret', 'row'), 'row')).toBe('secret')
        expect(both.isOtpDigest(maker.otpDigest(CHALLENGE, '123456'), CHALLENGE, '123456')).toBe(true)
        expect(both.isVerificationCode(maker.verificationCode(SIGNATURE), SIGNATURE)).toBe(true)
        expect(both.isCsrfToken(maker.csrfToken(session), session)).toBe(true)
        expect(both.isDeviceProof(maker.deviceProof(person, 'nonce'), person, 'nonce')).toBe(true)
        expect(both.isRequestFingerprint(maker.requestFingerprint('body'), 'body')).toBe(true)
        expect(both.isHeadMac(maker.auditMac('head'), 'head') && both.isRowMac(maker.auditMac('row'), 'row')).toBe(true)
        expect(both.isStoreMark(maker.storeMark)).toBe(true)
      }
    }
    expect(both.presignKeys.map((key) => [key.equals(next.presign), key.equals(keys.presign)])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('keep to the one in use when a third one is named', () => {
    const both = deriveInstallationKeys(NEXT, SECRET)
    both.use({ proof: keys.proof, retired: [] })
    expect(both.use({ proof: randomBytes(32), retired: [] })).toBe(false)
    expect(both.proof).toEqual(keys.proof)
  })

  test('a retired key confirms rows, codes and the object store, and nothing else', () => {
    const old = deriveKeySet(SECRET)
    const box = next.seal(writeRetired(old.retire()), retiredContext(old.proof))
    const alone = deriveInstallationKeys(NEXT)
    expect(alone.isRowMac(old.auditMac('row'), 'row')).toBe(false)
    expect(alone.use({ proof: next.proof, retired: [{ proof: old.proof, box }] })).toBe(true)
    expect(alone.isRowMac(old.auditMac('row'), 'row')).toBe(true)
    expect(alone.isRowMac(old.auditMac('row'), 'other row')).toBe(false)
    expect(alone.isVerificationCode(old.verificationCode(SIGNATURE), SIGNATURE)).toBe(true)
    expect(alone.isStoreMark(old.storeMark)).toBe(true)
    expect(alone.isHeadMac(old.auditMac('head'), 'head')).toBe(false)
    expect(alone.isOtpDigest(old.otpDigest(CHALLENGE, '123456'), CHALLENGE, '123456')).toBe(false)
    expect(alone.isCsrfToken(old.csrfToken(session), session)).toBe(false)
    expect(() => alone.open(old.seal('secret', 'row'), 'row')).toThrow()
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
