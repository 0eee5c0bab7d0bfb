// Hostile strings as filters and headers: each stored value is found by its own string only; the rest is rejected with a message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA } from '../support/builders/envelopes.ts'
import { foldText } from '../support/judges/fold-text.ts'
import { SOME_NAUGHTY_STRINGS } from '../support/hostile/naughty-strings.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
/** Title to id, of all accepted ones. */
const kept = new Map<string, string>()

beforeAll(async () => {
  service = await testService()
  for (const title of SOME_NAUGHTY_STRINGS) {
    const { status, body } = await service.client.post('/api/v1/envelopes', { title, signers: [ADA], labels: { note: 'x' } })
    if (status === 201) kept.set(title, body.id)
  }
})
afterAll(() => service[Symbol.asyncDispose]())

const list = (query: Record<string, string>) => service.client.get(`/api/v1/envelopes?${new URLSearchParams(query).toString()}`)

describe('a hostile string', () => {
  test('as title filter finds the envelope with that title, and is not a pattern', async () => {
    expect(kept.size).toBeGreaterThan(SOME_NAUGHTY_STRINGS.length / 2)
    for (const [title, id] of kept) {
      const { status, body } = await list({ title, size: '100' })
      expect([status, body.content.map((each: { id: string }) => each.id)], JSON.stringify(title)).toEqual([
        200,
        expect.arrayContaining([id]),
      ])
      const others = body.content.filter((each: { title: string }) => !foldText(each.title).includes(foldText(title)))
      expect(
        others.map((each: { title: string }) => each.title),
        JSON.stringify(title),
      ).toEqual([])
    }
  })

  test.each(['status', 'fromDate', 'toDate', 'workspaceId', 'page', 'size'])('as %s is refused in words', async (name) => {
    for (const text of SOME_NAUGHTY_STRINGS) {
      const { status, body } = await list({ [name]: text })
      expect([status, ['VALIDATION_FAILED', 'INVALID_STATUS'].includes(body.code)], JSON.stringify(text)).toEqual([400, true])
    }
  })

  test('as labels matches nothing, or is rejected with a message', async () => {
    for (const text of SOME_NAUGHTY_STRINGS) {
      for (const labels of [text, `note=${text}`]) {
        const { status, body } = await list({ labels })
        if (status === 200) expect(body.totalElements, JSON.stringify(labels)).toBe(0)
        else expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
      }
    }
  })

  test('as a parameter name is ignored', async () => {
    for (const text of SOME_NAUGHTY_STRINGS) expect((await list({ [`x${text}`]: '1' })).status).toBe(200)
  })

  test('as a header does not affect the response, and is stored unchanged in the audit trail', async () => {
    const printable = SOME_NAUGHTY_STRINGS.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim()).filter(Boolean)
    for (const text of new Set(printable)) {
      const { status, body } = await service.client.send('POST', '/api/v1/envelopes', {
        body: JSON.stringify({ title: 'x', signers: [ADA] }),
        headers: { 'Content-Type': 'application/json', 'User-Agent': text, 'X-Forwarded-For': text, Referer: text },
      })
      expect(status, text).toBe(201)
      const [row] = await service.database.owner`select user_agent from audit_events where envelope_id = ${body.id}`
      expect(row!['userAgent']).toBe(text.slice(0, 512))
      const asked = await service.client.send('GET', '/api/v1/envelopes/stats', { headers: { Accept: text } })
      expect([200, 406], text).toContain(asked.status)
      expect(asked.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })
})
