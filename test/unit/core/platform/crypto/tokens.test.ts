import { createHash } from 'node:crypto'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { describe, expect, test } from 'vitest'

describe('a token', () => {
  test('has 32 random bytes in 43 characters that a path can carry', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken))
    expect(tokens.size).toBe(100)
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    }
  })

  test('is kept as its SHA-256', () => {
    expect(hashToken('abc')).toEqual(createHash('sha256').update('abc').digest())
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
