import { inGroups, readCode, toRecoveryCode } from '#core/account/factor/rules.ts'
import { matchingStep, newSecret, toOtpauthUri } from '#core/account/factor/totp.ts'
import { describe, expect, test } from 'vitest'

/** The secret of RFC 6238, appendix B: the ASCII digits 1 to 0, twice. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code of an app', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('at %i s is the one of RFC 6238, appendix B', (seconds, code) => {
    expect(matchingStep(SECRET, code, seconds)).toBe(Math.floor(seconds / 30))
  })

  // The step from 1,111,111,080 on.
  test.each([
    [1_111_111_049, undefined],
    [1_111_111_050, 37_037_036],
    [1_111_111_139, 37_037_036],
    [1_111_111_140, undefined],
  ])('is valid one step early and late: at %i s %s', (seconds, step) => {
    expect(matchingStep(SECRET, '081804', seconds)).toBe(step)
  })

  test('comes from a secret of 160 bits that every set-up has of its own', () => {
    const secrets = Array.from({ length: 50 }, newSecret)
    expect(new Set(secrets).size).toBe(50)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('is described to the app without what older ones cannot read', () => {
    const uri = new URL(toOtpauthUri(SECRET, 'ada+x@example.test'))
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Sealwright:ada+x@example.test',
    ])
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Sealwright',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('what a person enters', () => {
  const recovery = '0123456789ABCDEFGHJKMNPQ'
  test.each([
    ['287082', { kind: 'app', digits: '287082' }],
    [' 287 082 ', { kind: 'app', digits: '287082' }],
    [recovery, { kind: 'recovery', code: recovery }],
    [inGroups(recovery).toLowerCase(), { kind: 'recovery', code: recovery }],
    ['oil3-4567-89ab-cdef-ghjk-mnpq', { kind: 'recovery', code: '0113456789ABCDEFGHJKMNPQ' }],
    ['28708', undefined],
    ['2870821', undefined],
    ['٢٨٧٠٨٢', undefined],
    ['', undefined],
    [`${recovery}0`, undefined],
    ['U123456789ABCDEFGHJKMNPQ', undefined],
  ])('%j is read as %j', (entered, read) => {
    expect(readCode(entered)).toEqual(read)
  })
})

describe('a recovery code', () => {
  test('has all bits of its bytes, in groups of four', () => {
    expect(toRecoveryCode(Buffer.alloc(15))).toBe('0'.repeat(24))
    expect(toRecoveryCode(Buffer.alloc(15, 0xff))).toBe('Z'.repeat(24))
    expect(inGroups(toRecoveryCode(Buffer.from('00443214c74254b635cf84653a56d7', 'hex')))).toBe('0123-4567-89AB-CDEF-GHJK-MNPQ')
  })
})
