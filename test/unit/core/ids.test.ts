import { hashToken, newId, newToken, OrgId, SignatureId } from '#core/ids.ts'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const UPPER = '6F1F2C1E-7A52-4C0B-9D0E-0D6F0C7B1A00'

describe('an id', () => {
  test('is the same id in upper case, and is stored in lower case', () => {
    expect(OrgId.parse(UPPER)).toBe(UPPER.toLowerCase())
    expect(SignatureId.parse(UPPER)).toBe(UPPER.toLowerCase())
  })

  test.each([
    ['of another variant', 'ffffffff-ffff-ffff-ffff-fffffffffffe'],
    ['of zeros', '00000000-0000-0000-0000-000000000000'],
    ['of version 7', '01932f7e-6b4a-7c3d-8e1f-2a3b4c5d6e7f'],
  ])('may be %s', (_, id) => {
    expect(OrgId.parse(id)).toBe(id)
  })

  test.each([
    ['no text', 7],
    ['empty', ''],
    ['without dashes', UPPER.replaceAll('-', '')],
    ['in braces', `{${UPPER}}`],
    ['followed by a line break', `${UPPER}\n`],
    ['followed by more', `${UPPER}0`],
    ['with a letter beyond F', UPPER.replace('F', 'G')],
    ['a path', `../${UPPER}`],
  ])('is refused when it is %s', (_, id) => {
    expect(OrgId.safeParse(id).success).toBe(false)
  })

  test('is new each time, in the stored format', () => {
    const ids = new Set(Array.from({ length: 100 }, () => newId(OrgId)))
    expect(ids.size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('a token', () => {
  test('has 32 random bytes in 43 characters that a path can carry', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken))
    expect(tokens.size).toBe(100)
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    }
  })

  test('is stored as its SHA-256', () => {
    expect(hashToken('abc')).toEqual(createHash('sha256').update('abc').digest())
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
