import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends the target unchanged; fetch would normalise it. */
function get(target: string): Promise<number | undefined> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path: target, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject).end()
  })
}

describe('the request log', () => {
  test.each([
    ['a link', 200, (token: string) => `/api/v1/sign/${token}`],
    ['a link with its host, as proxies send it', 200, (token: string) => `http://localhost/api/v1/sign/${token}`],
    ['a link with a host that is not ours', 421, (token: string) => `http://sign.example.test/api/v1/sign/${token}`],
    ['a link in capitals', 404, (token: string) => `/API/V1/SIGN/${token}`],
    ['a link with slashes too many', 404, (token: string) => `//api/v1//sign//${token}`],
  ])('has a line for %s and no token', async (_, status, targetOf) => {
    const { tokens } = await aSentEnvelope(service.client)
    const token = tokens[0]!.token
    const before = await service.readLog()
    expect(await get(targetOf(token))).toBe(status)
    const written = async () => (await service.readLog()).slice(before.length)
    await expect.poll(written).toMatch(/"path":"[^"]*\/sign\/+\*\*\*"/i)
    expect(await written()).not.toContain(token)
  })
})
