import { once } from 'node:events'
import { connect } from 'node:net'
import { openLog } from '#core/platform/log.ts'
import { required } from '#core/platform/process/health-checks.ts'
import { startStatusServer, type StatusServer } from '#core/platform/process/status-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { chunk, endlessRequest } from '../../../../support/clients/endless-request.ts'
import { freePort } from '../../../../../hack/servers/free-port.ts'

let port: number
/** A process has one. */
let status: StatusServer

beforeAll(async () => {
  port = await freePort()
  status = await startStatusServer({ host: '127.0.0.1', metricsPort: port }, openLog('silent'))
})

test('a stopping process is alive and not ready, whatever its checks say', async () => {
  status.show({ ready: () => ({ database: required(async () => {}) }) })
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    return [answer.status, await answer.json()]
  }
  expect(await ready()).toEqual([200, { status: 'ok', checks: { database: { ok: true } } }])
  status.stopping()
  expect(await ready()).toEqual([503, { status: 'unavailable', checks: { stop: { ok: false, error: 'stopping' } } }])
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
})

test('a body without an end is answered and not read', async () => {
  for (const line of ['POST /metrics', 'GET /livez', 'POST /nothing']) {
    const head = `${line} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`
    const { answer, seconds } = await endlessRequest(`http://127.0.0.1:${port}`, head, chunk('x'.repeat(50_000)))
    expect(answer).toMatch(/^HTTP\/1\.1 (200|404) [\s\S]*Connection: close/)
    expect(seconds).toBeLessThan(20)
  }
})

// Like a load balancer's spare connection, or a scraper that was cut off.
test('an idle connection does not delay the end of the server', async () => {
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  // A response proves that the server has accepted the earlier connection.
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
  const closed = once(silent, 'close')
  await status[Symbol.asyncDispose]()
  await closed
})
