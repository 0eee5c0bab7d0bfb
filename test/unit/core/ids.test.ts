import { newId, OrgId, SignatureId } from '#core/ids.ts'
import { describe, expect, test } from 'vitest'

const UPPER = '6F1F2C1E-7A52-4C0B-9D0E-0D6F0C7B1A00'

describe('an id', () => {
  test('is the same id in capitals, and is kept in small letters', () => {
    expect(OrgId.parse(UPPER)).toBe(UPPER.toLowerCase())
    expect(SignatureId.parse(UPPER)).toBe(UPPER.toLowerCase())
  })

  test.each([
    ['of another variant', 'ffffffff-ffff-ffff-ffff-fffffffffffe'],
    ['of nothing but zeros', '00000000-0000-0000-0000-000000000000'],
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

  test('is new each time, in the form in which it is kept', () => {
    const ids = new Set(Array.from({ length: 100 }, () => newId(OrgId)))
    expect(ids.size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
