// The receiver of the embedded run with the deliverer's own client. A canary on another loopback port notices a connection to it.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DataFolder, openDataFolder } from '../../../hack/embedded/data-folder.ts'
import { type RunningReceiver, startReceiver } from '../../../hack/embedded/webhook-receiver/start-receiver.ts'
import type { WebhookReceiver } from '#core/context.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { openLog } from '#core/platform/log.ts'
import { openWebhookClient } from '#core/webhook/open-webhook-client.ts'
import { chunk, endlessRequest } from '../../support/clients/endless-request.ts'
import { startCanary } from '../../support/servers/canary.ts'

const AT = new Date('2026-11-25T00:00:00Z')
const { settings } = readSettings({ SEALWRIGHT_WEBHOOK_TIMEOUT: '30s' })

let folder: DataFolder
let stack: AsyncDisposableStack
let stop: AbortController

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const root = await mkdtemp(path.join(tmpdir(), 'sealwright-receiver-'))
  stack.defer(() => rm(root, { recursive: true, force: true }))
  folder = stack.use(await openDataFolder(root))
  stop = new AbortController()
})
afterEach(() => stack.disposeAsync())

const start = async (): Promise<RunningReceiver> =>
  startReceiver({
    folder,
    log: openLog('silent', folder.log),
    signal: stop.signal,
    check: async (_port, { signature, body }) => ({ at: AT, signatureValid: signature === `of ${body.length} bytes` }),
  })

/** One delivery as the embedded run makes it; without `webhookReceiver` as every other deliverer does. */
async function deliver(url: string, webhookReceiver?: WebhookReceiver, body = '{"ü":1}') {
  await using client = openWebhookClient({ ...settings, ...(webhookReceiver && { webhookReceiver }) })
  return client.post({ url, headers: { 'x-svc-signature': `of ${Buffer.byteLength(body)} bytes` }, body: Buffer.from(body) })
}

describe('the webhook receiver of the embedded run', () => {
  // requirements: running/starting/webhook receiver
  test('keeps the requests of the deliverer, newest first, with their exact text, at most 100', async () => {
    const { address, inbox } = stack.use(await start())
    expect(await deliver(`${inbox.endpointUrl}hooks?a=1`, address, '{"ü":1}\n')).toMatchObject({ responseStatus: 200 })
    expect(inbox.requests()).toMatchObject([
      {
        at: AT.toISOString(),
        method: 'POST',
        path: '/hooks?a=1',
        body: '{"ü":1}\n',
        signatureValid: true,
        answer: { status: 200 },
      },
    ])
    await using client = openWebhookClient({ ...settings, webhookReceiver: address })
    const post = (body: string) => client.post({ url: inbox.endpointUrl, headers: {}, body: Buffer.from(body) })
    for (let count = 2; count <= 102; count++) await post(`${count}`)
    expect(inbox.requests()).toHaveLength(100)
    expect([inbox.requests()[0], inbox.requests()[99]]).toMatchObject([
      { id: 102, body: '102', signatureValid: false },
      { id: 3, body: '3' },
    ])
  })

  // requirements: running/starting/webhook receiver
  test('is refused to every other deliverer, and allows no other address or port', async () => {
    const { address, inbox } = stack.use(await start())
    const canary = stack.use(await startCanary())
    expect((await deliver(inbox.endpointUrl)).failure).toEqual({ code: 'ADDRESS_NOT_ALLOWED' })
    const { port } = new URL(inbox.endpointUrl)
    for (const url of [
      `https://127.0.0.1:${canary.port}/`,
      `https://127.0.0.2:${port}/`,
      `https://[::1]:${port}/`,
      'https://127.0.0.1/',
    ])
      expect({ url, failure: (await deliver(url, address)).failure }).toEqual({ url, failure: { code: 'ADDRESS_NOT_ALLOWED' } })
    expect((await deliver(`https://localhost:${port}/`, address)).failure).toEqual({ code: 'URL_NOT_ALLOWED', detail: 'host' })
    expect([canary.connections(), inbox.requests()]).toEqual([0, []])
  })

  test('answers with the status that was set, also after a large body', async () => {
    const { address, inbox } = stack.use(await start())
    for (const status of [204, 302, 410, 599]) {
      inbox.setBehaviour({ status })
      expect(await deliver(inbox.endpointUrl, address)).toMatchObject({ responseStatus: status })
    }
    inbox.setBehaviour({ status: 200 })
    expect(await deliver(inbox.endpointUrl, address, 'x'.repeat(1024 * 1024))).toMatchObject({ responseStatus: 200 })
    expect((await deliver(inbox.endpointUrl, address, 'x'.repeat(1024 * 1024 + 1))).responseStatus).not.toBe(200)
    expect(inbox.requests()).toHaveLength(5)
  })

  test('answers a body without an end, and closes its connection', async () => {
    const { inbox } = stack.use(await start())
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { answer, seconds } = await endlessRequest(inbox.endpointUrl, head, chunk('x'.repeat(50_000)))
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
    expect(seconds).toBeLessThan(20)
    expect(inbox.requests()).toEqual([])
  })

  test('holds a request while it hangs, and answers it with 503 at a stop', async () => {
    const { address, inbox } = stack.use(await start())
    inbox.setBehaviour({ hang: true })
    const held = deliver(inbox.endpointUrl, address)
    await expect.poll(() => inbox.requests()).toMatchObject([{ answer: { hang: true } }])
    stop.abort()
    expect(await held).toMatchObject({ responseStatus: 503 })
    expect(await deliver(inbox.endpointUrl, address)).toMatchObject({ responseStatus: 503 })
  })

  test('keeps its port and certificate over a restart, and takes another port when that is taken', async () => {
    const first = await start()
    await first[Symbol.asyncDispose]()
    const again = await start()
    expect(again.address).toEqual(first.address)
    await again[Symbol.asyncDispose]()
    expect(await readFile(path.join(folder.keys, 'webhook-receiver-root.pem'), 'utf8')).toBe(first.address.ca)
    expect((await stat(path.join(folder.keys, 'webhook-receiver.pem'))).mode & 0o777).toBe(0o600)

    const taken = createServer().listen(Number(new URL(first.inbox.endpointUrl).port), '127.0.0.1')
    await once(taken, 'listening')
    stack.defer(() => void taken.close())
    const other = stack.use(await start())
    expect(other.address.endpoint).not.toBe(first.address.endpoint)
    expect(await deliver(other.inbox.endpointUrl, other.address)).toMatchObject({ responseStatus: 200 })
  })
})
