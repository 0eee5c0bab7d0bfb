// A server problem that no retry can fix ends the process: exit code 1 and one sentence with the setting's name, never a stack.
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream'
import { openLog } from '#core/platform/log.ts'
import { openJetStreamNotifier } from '#core/messaging/jetstream/jetstream-notifier.ts'
import { connect } from 'nats'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startNatsServer } from '../../hack/servers/nats-server.ts'
import { type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts'
import {
  API,
  CONTROLLER,
  RELAY,
  says,
  SEAL,
  type MisconfiguredStarts,
  misconfiguredStarts,
} from '../support/faults/misconfigured-start.ts'
import { type Environment, startTier } from '../support/servers/tier-process.ts'
import { startTlsFront, type TlsFront } from '../support/servers/tls-front.ts'

let endings: AsyncDisposableStack
let starts: MisconfiguredStarts
let tls: TlsFront

beforeAll(async () => {
  endings = new AsyncDisposableStack()
  starts = endings.use(await misconfiguredStarts())
  tls = await startTlsFront(starts.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '', starts.folder)
  endings.defer(() => tls.close())
})
afterAll(() => endings.disposeAsync())

describe.concurrent('NATS:', () => {
  const aServer = async (options: Partial<Parameters<typeof startNatsServer>[0]>) => {
    const server = await startNatsServer({ dataDir: await mkdtemp(path.join(starts.folder, 'nats-')), ...options })
    endings.defer(() => server.stop())
    return server
  }

  test('wrong credentials', async () => {
    const { port } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    expect(await starts.ending(RELAY, { SEALWRIGHT_NATS_URL: `nats://sealwright:wrong@127.0.0.1:${port}` })).toEqual(
      says(/^SEALWRIGHT_NATS_URL or SEALWRIGHT_NATS_CREDS_FILE: the server refuses these credentials\.$/),
    )
  })

  test('a missing credentials file', async () => {
    const changed = {
      SEALWRIGHT_NATS_URL: inject('natsUrl'),
      SEALWRIGHT_NATS_CREDS_FILE: path.join(starts.folder, 'absent.creds'),
    }
    expect(await starts.ending(SEAL, changed)).toEqual(says(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: ENOENT.*\.$/))
  })

  test('a server without JetStream', async () => {
    const { url } = await aServer({ jetStream: false })
    expect(await starts.ending(RELAY, { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: JetStream is not enabled for the server or the account\.$/),
    )
  })

  test.each([
    ['at all', '$JS.API.>'],
    ['to make streams', '$JS.API.STREAM.CREATE.>'],
    ['to read from streams', '$JS.API.CONSUMER.>'],
  ])('a user without the right to JetStream %s', async (_, subject) => {
    const { url } = await aServer({ user: { name: 'sealwright', password: 'right', mayNotPublish: [subject] } })
    expect(await starts.ending(RELAY, { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: the user is not allowed to use JetStream \(.*\$JS\.API\..*\)\.$/),
    )
  })

  test("another application's stream", async () => {
    const { url } = await aServer({})
    const connection = await connect({ servers: url })
    await (await jetstreamManager(connection)).streams.add({ name: 'sealwright-work', subjects: ['other.>'] })
    await connection.close()
    expect(await starts.ending(['workers/main.ts', 'mail'], { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: the stream sealwright-work exists and was not created by Sealwright/),
    )
  })

  test('a replaced consumer', async () => {
    const { url } = await aServer({})
    await using notifier = await openJetStreamNotifier({
      url,
      name: 'test',
      log: openLog('silent'),
      replicas: 1,
      duplicateWindowSeconds: 120,
      maxMessages: 1_000_000,
    })
    expect(notifier.lastError()).toBe(undefined)
    const connection = await connect({ servers: url })
    const { consumers } = await jetstreamManager(connection)
    await consumers.delete('sealwright-work', 'seal')
    const pushing = { durable_name: 'seal', deliver_subject: 'elsewhere', ack_policy: AckPolicy.Explicit }
    await consumers.add('sealwright-work', { ...pushing, filter_subject: 'sealwright.seal.requested' })
    await connection.close()
    expect(await starts.ending(SEAL, { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: the consumer seal of the stream sealwright-work cannot be updated.*\. Delete it: /),
    )
  })

  test('no JetStream, while Postgres does not answer; only NATS is reported', async () => {
    const { url } = await aServer({ jetStream: false })
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
    const { port } = silent.address() as AddressInfo
    const tier = startTier(RELAY, {
      ...starts.valid,
      SEALWRIGHT_DATABASE_URL: `postgres://x@127.0.0.1:${port}/x`,
      SEALWRIGHT_NATS_URL: url,
    })
    expect(await tier.exited).toBe(1)
    expect(tier.words()).toEqual(['SEALWRIGHT_NATS_URL: JetStream is not enabled for the server or the account.'])
    expect(tier.log()).toEqual([])
    silent.close()
  })

  test('limits that the server cannot provide', async () => {
    const { url } = await aServer({})
    expect(await starts.ending(RELAY, { SEALWRIGHT_NATS_URL: url, SEALWRIGHT_NATS_REPLICAS: '3' })).toEqual(
      says(/^The stream sealwright-work cannot be created: replicas > 1 not supported.* See SEALWRIGHT_NATS_REPLICAS/),
    )
  })
})

describe.concurrent('S3:', () => {
  test.each<[string, string[], Environment, RegExp]>([
    ['an unknown key', API, { SEALWRIGHT_S3_ACCESS_KEY_ID: 'unknown' }, /^SEALWRIGHT_S3_ACCESS_KEY_ID is not known/],
    ['a wrong secret', SEAL, { SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'wrong' }, /^SEALWRIGHT_S3_SECRET_ACCESS_KEY does not belong/],
    ['no such bucket', CONTROLLER, { SEALWRIGHT_S3_BUCKET: 'absent' }, /^The bucket in SEALWRIGHT_S3_BUCKET does not exist/],
    ['another region', API, { SEALWRIGHT_S3_REGION: 'eu-central-1' }, /^SEALWRIGHT_S3_REGION is not the region of the bucket/],
  ])('%s', async (_, command, changed, sentence) => {
    expect(await starts.ending(command, changed)).toEqual(says(sentence))
  })

  test('a clock that is an hour off', async () => {
    const command = ['--import', './test/support/faults/skewed-clock.ts', ...CONTROLLER]
    expect(await starts.ending(command, { SKEWED_CLOCK_HOURS: '1' })).toEqual(
      says(/^The clocks of this machine and of SEALWRIGHT_S3_ENDPOINT differ by (59|60) minutes; synchronise both with NTP\.$/),
    )
  })

  test.each([
    ['write', 'PUT', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to write objects \(s3:PutObject\)/],
    ['read', 'GET', 'checks/', /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to read objects \(s3:GetObject\)/],
    ['list', 'GET', 'list-type=2', /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to list objects \(s3:ListBucket\)/],
    ['delete', 'DELETE', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to delete objects \(s3:DeleteObject\)/],
    [
      'list uploads in parts',
      'GET',
      'uploads',
      /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to list and abort multipart uploads \(s3:ListBucketMultipartUploads, s3:AbortMultipartUpload\)/,
    ],
    [
      'abort uploads in parts',
      'DELETE',
      'uploadId',
      /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to list and abort multipart uploads/,
    ],
    ['miss', 'HEAD', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to check whether an object exists \(s3:ListBucket\)/],
  ])('no right to %s', async (_, method, part, sentence) => {
    const proxy: FaultProxy = await startFaultProxy(starts.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
    proxy.faults = (request) =>
      request.method === method && request.url?.split('&prefix')[0]?.includes(part) ? 'denied' : undefined
    expect(await starts.ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: proxy.url })).toEqual(says(sentence))
    await proxy.close()
  })

  test('a certificate of an unknown authority', async () => {
    expect(await starts.ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: tls.url })).toEqual(
      says(/^The certificate of SEALWRIGHT_S3_ENDPOINT is not trusted \([A-Z_]+\); see SEALWRIGHT_S3_CA_FILE\.$/),
    )
  })

  test('a store without TLS behind https', async () => {
    const endpoint = (starts.valid['SEALWRIGHT_S3_ENDPOINT'] ?? '').replace('http:', 'https:')
    expect(await starts.ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: endpoint })).toEqual(
      says(/^The server at SEALWRIGHT_S3_ENDPOINT does not offer TLS, but https:\/\/ requires it\.$/),
    )
  })
})
