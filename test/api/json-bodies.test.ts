// Ambiguous JSON, and unusual numbers, names and bytes: a value is stored exactly as sent, or rejected.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/clients/api-client.ts'
import { ADA, aDraft, aSentEnvelope } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

function post(path: string, body: string | Uint8Array, type = 'application/json'): Promise<Answer> {
  return service.client.send('POST', path, { body, headers: { 'Content-Type': type } })
}
const create = (body: string | Uint8Array, type?: string) => post('/api/v1/envelopes', body, type)
const SIGNERS = JSON.stringify([ADA])

describe('a duplicate key in one object is rejected', () => {
  test.each([
    ['the title', `{"title":"one","title":"two","signers":${SIGNERS}}`, 'title'],
    ["a signer's address", `{"title":"x","signers":[{"email":"ada@example.test","email":"x@evil.test","name":"Ada"}]}`, 'email'],
    [
      'the same, once with an escape',
      `{"title":"x","signers":[{"email":"a@b.test","\\u0065mail":"x@evil.test","name":"Ada"}]}`,
      'email',
    ],
    ['a label', `{"title":"x","signers":${SIGNERS},"labels":{"a":"1","a":"2"}}`, 'a'],
    ['with the same value', `{"title":"x","title":"x","signers":${SIGNERS}}`, 'title'],
    ['an unknown one', `{"title":"x","signers":${SIGNERS},"n":1, "n" :2}`, 'n'],
  ])('%s', async (_name, body, name) => {
    const answer = await create(body)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      400,
      'VALIDATION_FAILED',
      `body: contains the key "${name}" twice.`,
    ])
  })

  test("also in a signer's request", async () => {
    const { tokens } = await aSentEnvelope(service.client)
    const { status } = await post(`/api/v1/sign/${tokens[0]!.token}/sign`, '{"signatureImage":"a","signatureImage":"b"}')
    expect(status).toBe(400)
  })

  test('but not when the duplicates are in two objects or in a string', async () => {
    const signers = JSON.stringify([ADA, { ...ADA, name: '{"name":"x","name":"y"}' }])
    expect((await create(`{"title":"\\"title\\":","signers":${signers},"labels":{"title":"title"}}`)).status).toBe(201)
  })
})

describe('a body with too many names and values is rejected', () => {
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, number) => [number, 1]))

  test.each([
    ['of an envelope', () => create(JSON.stringify(names))],
    ['of a signature, from any signer', () => post(`/api/v1/sign/${'A'.repeat(43)}/sign`, JSON.stringify(names))],
  ])('%s', async (_name, send) => {
    const { status, body } = await send()
    expect([status, body.message]).toEqual([400, 'body: contains more than 20000 names and values.'])
  })

  test('but not a long string', async () => {
    const { body } = await create(JSON.stringify({ title: ':,'.repeat(20_000), signers: [ADA] }))
    expect(body.message).toMatch(/^title: /)
  })

  test('parsing stops one signer beyond the limit', async () => {
    const signers = [...Array.from({ length: 51 }, () => ADA), ...Array.from({ length: 1_000 }, () => ({}))]
    expect((await create(JSON.stringify({ title: 'x', signers }))).body.code).toBe('TOO_MANY_SIGNERS')
  })
})

describe('a number that the service does not accept is rejected, never rounded', () => {
  test.each(['1e400', '-1e400', '9007199254740993', '1e-7', '2160.5', '"24"', '1e1000000', '-0.5'])(
    'linkTtlHours %s',
    async (number) => {
      expect((await create(`{"title":"x","signers":${SIGNERS},"linkTtlHours":${number}}`)).status).toBe(400)
    },
  )

  test.each(['1e400', '9007199254740993', '1.0000000000000001e17', 'true', '[1]'])('signOrder %s', async (number) => {
    const draft = await aDraft(service.client)
    const { status } = await post(
      `/api/v1/envelopes/${draft.id}/signers`,
      `{"email":"b@c.test","name":"B","signOrder":${number}}`,
    )
    expect(status).toBe(400)
  })

  test.each(['1e400', '9007199254740993', '86400000.5'])('durationMs %s', async (number) => {
    const { tokens } = await aSentEnvelope(service.client)
    expect((await post(`/api/v1/sign/${tokens[0]!.token}/view-closed`, `{"durationMs":${number}}`)).status).toBe(400)
  })

  test('while 24.0 and 2.4e1 equal 24', async () => {
    for (const number of ['24.0', '2.4e1']) {
      expect((await create(`{"title":"x","signers":${SIGNERS},"linkTtlHours":${number}}`)).status).toBe(201)
    }
  })
})

describe('names of the prototype are ordinary names', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])('%s', async (name) => {
    const evil = `"${name}":{"title":"evil","otpRequired":true,"admin":true,"status":"COMPLETED"}`
    const { status, body } = await create(`{${evil},"title":"x","signers":[{${evil},"email":"a@b.test","name":"A"}]}`)
    expect([status, body.title, body.otpRequired, body.status]).toEqual([201, 'x', false, 'DRAFT'])
    expect(({} as Record<string, unknown>)['admin']).toBe(undefined)
    const draft = await aDraft(service.client)
    const added = await post(`/api/v1/envelopes/${draft.id}/signers`, `{${evil},"email":"b@c.test","name":"B"}`)
    expect(added.status).toBe(201)
  })

  test('and do not replace a missing field', async () => {
    expect((await create(`{"__proto__":{"title":"x"},"signers":${SIGNERS}}`)).status).toBe(400)
    const { tokens } = await aSentEnvelope(service.client)
    const path = `/api/v1/sign/${tokens[0]!.token}`
    expect((await post(`${path}/sign`, '{"__proto__":{"signatureImage":"x"}}')).status).toBe(400)
    expect((await post(`${path}/verify-otp`, '{"__proto__":{"challengeId":"x","code":"1"}}')).status).toBe(400)
  })

  test('nor in a form or a query', async () => {
    const form = await service.client.send('POST', '/oauth2/token', {
      body: '__proto__[grant_type]=client_credentials&constructor=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect([form.status, form.body.error]).toEqual([400, 'invalid_request'])
    expect(
      (await service.client.get('/api/v1/envelopes?__proto__[size]=1&constructor.prototype.size=2&__proto__=x')).status,
    ).toBe(200)
  })
})

describe('bytes', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

  test.each([
    ['a stray byte', [0xff]],
    ['a character cut short', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a pair, encoded', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['Latin-1', [0xfc]],
  ])('that are no UTF-8 are refused, not replaced: %s', async (_name, wrong) => {
    const { status, body } = await create(bytes('{"title":"x', wrong, `","signers":${SIGNERS}}`))
    expect([status, body.code]).toEqual([400, 'MALFORMED_JSON'])
  })

  test('of a byte order mark are skipped', async () => {
    const { status, body } = await create(bytes([0xef, 0xbb, 0xbf], `{"title":"\uFEFFx","signers":${SIGNERS}}`))
    expect([status, body.title]).toEqual([201, '\uFEFFx'])
  })

  test.each([
    ['UTF-16 with a mark', Buffer.from(`\uFEFF{"title":"x","signers":${SIGNERS}}`, 'utf16le'), 'application/json', 400],
    [
      'UTF-16 that says so',
      Buffer.from(`{"title":"x","signers":${SIGNERS}}`, 'utf16le'),
      'application/json; charset=utf-16le',
      415,
    ],
    [
      'Latin-1 that says so',
      Buffer.from(`{"title":"ü","signers":${SIGNERS}}`, 'latin1'),
      'application/json; charset=iso-8859-1',
      415,
    ],
    ['UTF-8 that says so', Buffer.from(`{"title":"ü","signers":${SIGNERS}}`), 'application/json; charset=UTF-8', 201],
    ['UTF-8 that says so in quotes', Buffer.from(`{"title":"ü","signers":${SIGNERS}}`), 'application/json;charset="utf-8"', 201],
    ['with another parameter', Buffer.from(`{"title":"ü","signers":${SIGNERS}}`), 'application/json; profile=x', 201],
    ['of two types', Buffer.from('{}'), 'application/json, text/plain', 415],
    ['of JSON with a suffix', Buffer.from('{}'), 'application/problem+json', 415],
    ['of no type', Buffer.from('{}'), '', 415],
  ])('in %s', async (_name, body, type, status) => {
    expect((await create(body, type)).status).toBe(status)
  })

  test('NUL between values is not JSON', async () => {
    expect((await create(`{"title":"x",\0"signers":${SIGNERS}}`)).body.code).toBe('MALFORMED_JSON')
  })
})

describe('depth', () => {
  test.each([
    ['of objects', '{"a":', '1', '}'],
    ['of arrays', '[', '', ']'],
  ])('%s is refused without a stack overflow', async (_name, open, middle, close) => {
    for (const levels of [21, 1_000, 40_000]) {
      const { status } = await create(
        `{"title":"x","signers":${SIGNERS},"x":${open.repeat(levels)}${middle}${close.repeat(levels)}}`,
      )
      expect(status).toBe(400)
    }
  })
})
