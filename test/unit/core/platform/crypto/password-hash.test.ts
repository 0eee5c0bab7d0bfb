import { hashPassword, verifyPassword } from '#core/platform/crypto/password-hash.ts'
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
  test('is a PHC string of argon2id with OWASP parameters and unpadded base64', async () => {
    const text = await hashPassword('correct horse')
    const { parameters, nonce, tag } = parse(text)
    expect(text).not.toContain('=$')
    expect(parameters).toEqual({ memory: 19_456, passes: 2, parallelism: 1 })
    expect([nonce.length, tag.length]).toEqual([16, 32])
  })

  test.each(['correct horse', 'pässwörd 🖋', ''])('of %j can be verified from its text alone', async (password) => {
    const { parameters, nonce, tag } = parse(await hashPassword(password))
    expect(argon2Sync('argon2id', { message: password, nonce, tagLength: tag.length, ...parameters })).toEqual(tag)
  })

  test('has a new salt each time', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')])
    expect(parse(one).nonce).not.toEqual(parse(two).nonce)
    expect(parse(one).tag).not.toEqual(parse(two).tag)
  })
})

describe('a password', () => {
  // As another implementation writes them: other memory, passes and lengths than ours.
  function foreignHash(password: string, { memory, passes, tagLength }: { memory: number; passes: number; tagLength: number }) {
    const nonce = Buffer.alloc(16, 9)
    const tag = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism: 1, tagLength })
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${text(nonce)}$${text(tag)}`
  }

  test('matches its hash and no other', async () => {
    const hash = await hashPassword('correct horse')
    expect(await verifyPassword('correct horse', hash)).toEqual({ isRight: true, isOutdated: false })
    for (const other of ['correct hors', 'correct horse ', 'Correct horse', '']) {
      expect(await verifyPassword(other, hash)).toEqual({ isRight: false, isOutdated: false })
    }
  })

  test('is the same in every normalization form', async () => {
    const composed = await hashPassword('caf\u00e9 \ufb01ne')
    expect(await verifyPassword('cafe\u0301 fine', composed)).toMatchObject({ isRight: true })
  })

  test.each([
    ['memory', { memory: 8_192, passes: 2, tagLength: 32 }],
    ['passes', { memory: 19_456, passes: 1, tagLength: 32 }],
    ['length', { memory: 19_456, passes: 2, tagLength: 16 }],
  ])('is verified with the parameters of its hash, which is outdated when its %s differs', async (_name, parameters) => {
    const hash = foreignHash('correct horse', parameters)
    expect(await verifyPassword('correct horse', hash)).toEqual({ isRight: true, isOutdated: true })
    expect(await verifyPassword('wrong horse', hash)).toMatchObject({ isRight: false })
  })

  test('is wrong without a hash, after the same work', async () => {
    const hash = await hashPassword('correct horse')
    const measure = async (against: string | null) => {
      const before = process.cpuUsage()
      const verdict = await verifyPassword('correct horse', against)
      return { verdict, cpu: process.cpuUsage(before).user }
    }
    const [known, unknown] = [await measure(hash), await measure(null)]
    expect(unknown.verdict).toEqual({ isRight: false, isOutdated: false })
    expect(unknown.cpu).toBeGreaterThan(known.cpu / 4)
  })

  test.each([
    '',
    'plain',
    '$argon2i$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
    '$2b$10$abcdefghijklmnopqrstuv',
  ])('is never compared to %j', async (hash) => {
    await expect(verifyPassword('correct horse', hash)).rejects.toThrow('PHC')
  })

  test('is refused at once, with a retry time, when too many hashes wait', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 104 }, () => verifyPassword('x', null)))
    const refused = answers
      .filter((answer) => answer.status === 'rejected')
      .map(({ reason }) => [reason.code, reason.retryAfterSeconds])
    expect(refused).toEqual([
      ['SERVICE_UNAVAILABLE', 2],
      ['SERVICE_UNAVAILABLE', 2],
    ])
  })
})
