// Which host names the service answers to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawConnection } from '../support/clients/raw-http.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let replica: Awaited<ReturnType<typeof secondReplica>>

beforeAll(async () => {
  service = await testService()
  const settings = {
    ...service.api.settings,
    publicUrl: 'https://Sign.example.test:8443',
    allowedHosts: ['sealwright-api', '10.1.2.3'],
  }
  replica = await secondReplica({ ...service.api, settings })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

/** The status and error code of a request with these lines. */
async function answerTo(...lines: string[]): Promise<string> {
  using connection = rawConnection(replica.url)
  connection.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const text = await connection.closed
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  const [, code = ''] = /\r\n\r\n\{"status":\d+.*"code":"(\w+)"/.exec(text) ?? []
  return `${status} ${code}`.trim()
}

const GET = 'GET /openapi.json HTTP/1.1'
const REFUSED = '421 HOST_NOT_ALLOWED'

// requirements: decisions/doors/Host header
describe('a request', () => {
  test.each([
    ['sign.example.test', '200'],
    ['SIGN.EXAMPLE.TEST.', '200'],
    ['sign.example.test:1234', '200'],
    ['localhost', '200'],
    ['127.0.0.1:8080', '200'],
    ['[::1]:8080', '200'],
    ['sealwright-api:80', '200'],
    ['10.1.2.3', '200'],
    ['example.test', REFUSED],
    ['evil.sign.example.test', REFUSED],
    ['sign.example.test.evil.test', REFUSED],
    ['evil.test:sign.example.test', REFUSED],
    ['localhost.evil.test', REFUSED],
    ['10.1.2.4', REFUSED],
    ['', REFUSED],
  ])('to the host "%s" is answered %s', async (host, answer) => {
    expect(await answerTo(GET, `Host: ${host}`)).toBe(answer)
  })

  test.each([
    ['without a host', [GET], '400'],
    ['of HTTP/1.0 without a host', ['GET /openapi.json HTTP/1.0'], REFUSED],
    ['with two hosts', [GET, 'Host: localhost', 'Host: localhost'], '400 VALIDATION_FAILED'],
    ['to another host by its target', ['GET http://evil.test/openapi.json HTTP/1.1', 'Host: localhost'], REFUSED],
    ['to this host by its target', ['GET http://localhost/openapi.json HTTP/1.1', 'Host: localhost'], '200'],
    ['of a proxy for another host', [GET, 'Host: localhost', 'X-Forwarded-Host: evil.test'], '200'],
    ['to an unknown path', ['GET /x HTTP/1.1', 'Host: evil.test'], REFUSED],
    ['of a probe', ['GET /livez HTTP/1.1', 'Host: 10.9.9.9'], '200'],
  ])('%s', async (_name, lines, answer) => {
    expect(await answerTo(...lines)).toBe(answer)
  })
})
