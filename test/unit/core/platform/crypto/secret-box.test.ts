import { openBox, sealBox } from '#core/platform/crypto/secret-box.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const KEY = createSecretKey(randomBytes(32))
const OVERHEAD_BYTES = 1 + 12 + 16

describe('a secret box', () => {
  test('decrypts to its content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(openBox(KEY, sealBox(KEY, plain, context), context)).toBe(plain)
      }),
    )
  })

  test('reveals only the length of its content', () => {
    const box = sealBox(KEY, 'a signing token', 'mail 1')
    expect(box).toHaveLength(OVERHEAD_BYTES + 'a signing token'.length)
    expect(box.toString('latin1')).not.toMatch(/signing|token|mail/)
  })

  test('is different each time', () => {
    const boxes = new Set(Array.from({ length: 50 }, () => sealBox(KEY, 'x', 'y').toString('hex')))
    expect(boxes.size).toBe(50)
  })

  test.each(['', 'a signing token'])('with %j does not open when any bit was changed', (plain) => {
    const box = sealBox(KEY, plain, 'mail 1')
    for (let bit = 0; bit < box.length * 8; bit++) {
      const changed = Buffer.from(box)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => openBox(KEY, changed, 'mail 1')).toThrow()
    }
  })

  test.each(['', 'a signing token'])('with %j does not open when it was cut or extended', (plain) => {
    const box = sealBox(KEY, plain, 'mail 1')
    for (let length = 0; length < box.length; length++) {
      expect(() => openBox(KEY, box.subarray(0, length), 'mail 1')).toThrow()
    }
    expect(() => openBox(KEY, Buffer.concat([box, Buffer.alloc(1)]), 'mail 1')).toThrow()
  })

  test.each(['mail 2', 'mail 1 ', 'mail', ''])('made for mail 1 does not open as %j', (context) => {
    expect(() => openBox(KEY, sealBox(KEY, 'x', 'mail 1'), context)).toThrow()
  })

  test('does not open with another key', () => {
    expect(() => openBox(createSecretKey(randomBytes(32)), sealBox(KEY, 'x', 'y'), 'y')).toThrow()
  })

  test('of another version says so', () => {
    const box = sealBox(KEY, 'x', 'y')
    box[0] = 2
    expect(() => openBox(KEY, box, 'y')).toThrow('unknown version')
  })
})
