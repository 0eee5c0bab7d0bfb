import { hashPassword } from '#core/crypto/password-hash.ts'
import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(text: string) {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(text) ?? []
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(hash, 'base64'),
  }
}

describe('the hash of a password', () => {
  test('is a PHC text of argon2id with the parameters that OWASP names, and unpadded base64', async () => {
    const text = await hashPassword('correct horse')
    const { parameters, nonce, tag } = parse(text)
    expect(text).not.toContain('=$')
    expect(parameters).toEqual({ memory: 19_456, passes: 2, parallelism: 1 })
    expect([nonce.length, tag.length]).toEqual([16, 32])
  })

  test.each(['correct horse', 'pässwörd 🖋', ''])('of %j can be checked from its text alone', async (password) => {
    const { parameters, nonce, tag } = parse(await hashPassword(password))
    expect(argon2Sync('argon2id', { message: password, nonce, tagLength: tag.length, ...parameters })).toEqual(tag)
  })

  test('has a salt of its own each time', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')])
    expect(parse(one).nonce).not.toEqual(parse(two).nonce)
    expect(parse(one).tag).not.toEqual(parse(two).tag)
  })
})
