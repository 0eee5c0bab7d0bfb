import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA } from '../support/builders/envelopes.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** The audit trail's address for a caller who sends this header to a service with these trusted proxies. */
async function recordedAddress(trustedProxies: number | string[], forwardedFor: string): Promise<string> {
  const settings = { ...service.api.settings, trustedProxies }
  await using replica = await secondReplica({ ...service.api, settings })
  const response = await fetch(`${replica.url}/api/v1/envelopes`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${service.client.token}`,
      'X-Forwarded-For': forwardedFor,
    },
    body: JSON.stringify({ title: 'Who asks', signers: [ADA] }),
  })
  const { id }: { id: string } = JSON.parse(await response.text())
  const [event] = await service.database.owner`select address from audit_events where envelope_id = ${id}`
  return String(event!['address'])
}

describe('the client’s address', () => {
  test.each([
    ['is the peer’s when no proxy is trusted, whatever the header says', 0, '198.51.100.7', '127.0.0.1'],
    ['is the peer’s when only another proxy is trusted', ['10.0.0.0/8'], '198.51.100.7', '127.0.0.1'],
    ['is what a trusted proxy says', ['127.0.0.1'], '198.51.100.7', '198.51.100.7'],
    [
      'is what the nearest trusted proxy says, not what its client made up',
      ['127.0.0.1'],
      '1.1.1.1, 198.51.100.7',
      '198.51.100.7',
    ],
    ['is behind all trusted proxies', ['127.0.0.1', '10.0.0.0/8'], '1.1.1.1, 198.51.100.7, 10.2.3.4', '198.51.100.7'],
    ['is so many proxies away', 2, '1.1.1.1, 198.51.100.7, 10.2.3.4', '198.51.100.7'],
    ['is shown without a port', ['127.0.0.1'], '198.51.100.7:50123', '198.51.100.7'],
    ['is shown without brackets', ['127.0.0.1'], '[2001:db8::7]:50123', '2001:db8::7'],
    ['is an IPv4 address when it comes as IPv6', ['127.0.0.1'], '::ffff:198.51.100.7', '198.51.100.7'],
    ['is the peer’s when the proxy says something else', ['127.0.0.1'], 'unknown', '127.0.0.1'],
  ])('%s', async (_name, trusted, header, address) => {
    expect(await recordedAddress(trusted, header)).toBe(address)
  })
})
