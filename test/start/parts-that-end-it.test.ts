// A part that no waiting cures ends the process: exit code 1 and one sentence with the setting's name, never a stack.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from 'nats'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { startNatsServer } from '../../hack/servers/nats-server.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { tcpFront } from '../support/tcp-front.ts'
import { testDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Environment, runTier } from '../support/tier-process.ts'
import { startTlsFront, type TlsFront } from '../support/tls-front.ts'
import { validSettings } from '../support/valid-settings.ts'

const P12 = 'test/unit/core/seal/p12/p256-aes.p12'
const API = ['api/main.ts']
const CONTROLLER = ['controller/main.ts']
const RELAY = ['workers/main.ts', 'relay']
const SEAL = ['workers/main.ts', 'seal']
const EMBEDDED = ['hack/embedded/main.ts']

let endings: AsyncDisposableStack
let folder: string
let database: TestDatabase
let valid: Environment
let tls: TlsFront

beforeAll(async () => {
  endings = new AsyncDisposableStack()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-start-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
  database = endings.use(await testDatabase())
  valid = await validSettings(database.url, folder)
  tls = await startTlsFront(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '', folder)
  endings.defer(() => tls.close())
})
afterAll(() => endings.disposeAsync())

/** What a process says that starts with these settings changed. */
async function ending(command: readonly string[], changed: Environment): Promise<{ code: number | null; words: string[] }> {
  return await runTier(command, { ...valid, ...changed })
}

function says(sentence: RegExp) {
  return { code: 1, words: [expect.stringMatching(sentence)] }
}

describe.concurrent('Postgres:', () => {
  const urlWith = (change: (url: URL) => void): Environment => {
    const url = new URL(database.url)
    change(url)
    return { SEALWRIGHT_DATABASE_URL: url.href }
  }
  const asOwner = async (statements: string): Promise<void> => {
    const sql = postgres(inject('postgresUrl'), { database: 'postgres', max: 1, onnotice: () => {} })
    await sql.unsafe(statements).finally(() => sql.end())
  }

  test.each([
    ['the API', API],
    ['the controller', CONTROLLER],
    ['a worker', RELAY],
    ['the service in one process', EMBEDDED],
  ])('a wrong password ends %s', async (_, command) => {
    const changed = urlWith((url) => (url.password = 'wrong'))
    expect(await ending(command, { ...changed, SEALWRIGHT_DATA_DIR: path.join(folder, `${command.join()}-wrong`) })).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the user or the password is wrong \(.*\)\.$/),
    )
  })

  test('no such database', async () => {
    expect(
      await ending(
        CONTROLLER,
        urlWith((url) => (url.pathname = '/absent')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the database does not exist \(database "absent" does not exist\)\.$/))
  })

  test('a user without the rights', async () => {
    await asOwner(`create role poor login password 'poor'`)
    const poor = urlWith((url) => ([url.username, url.password] = ['poor', 'poor']))
    expect(await ending(API, poor)).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the user lacks the rights \(permission denied to set role "sealwright_api"\)\.$/),
    )
  })

  test('a user who may not make tables cannot migrate', async () => {
    await asOwner(`create role modest login password 'modest'`)
    await asOwner('create database modest_empty')
    const modest = urlWith((url) => ([url.username, url.password, url.pathname] = ['modest', 'modest', '/modest_empty']))
    expect(await ending(EMBEDDED, { ...modest, SEALWRIGHT_DATA_DIR: path.join(folder, 'modest') })).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the user lacks the rights \(permission denied .*\)\.$/),
    )
    await asOwner('drop database modest_empty with (force)')
  })

  test('an old server', async () => {
    const front = tcpFront(await freePort(), Number(new URL(database.url).port), (chunk) =>
      Buffer.from(chunk.toString('latin1').replaceAll(/18(?=\.\d|0\d{3})/g, '14'), 'latin1'),
    )
    await front.open()
    expect(
      await ending(
        CONTROLLER,
        urlWith((url) => (url.port = String(front.port))),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: Postgres 14\.\d+ is too old; 15 or later is needed\.$/))
    await front.close()
  })

  test('a database that cannot hold every character', async () => {
    await asOwner(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    expect(
      await ending(
        CONTROLLER,
        urlWith((url) => (url.pathname = '/latin')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the database has the encoding LATIN1; make one with the encoding UTF8\.$/))
  })

  test('a schema that is newer than this version', async () => {
    await using newer = await testDatabase()
    await newer.owner`insert into migrations (version, name, digest) values (9999, '9999_future.sql', 'x')`
    expect(await ending(CONTROLLER, { SEALWRIGHT_DATABASE_URL: newer.url })).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the database has migration 9999_future.sql, which this version does not know/),
    )
  })

  test('a server that lets users in with TLS alone', async () => {
    await asOwner(`
      create role careful login password 'careful';
      do $$ declare lines text := 'hostnossl all careful 127.0.0.1/32 reject' || E'\\n' || pg_read_file(current_setting('hba_file'));
      begin
        execute format('copy (select regexp_split_to_table(%L, %L)) to %L', lines, E'\\n', current_setting('hba_file'));
      end $$;
      select pg_reload_conf()`)
    const careful = urlWith((url) => ([url.username, url.password] = ['careful', 'careful']))
    expect(await ending(CONTROLLER, careful)).toEqual(
      says(/^SEALWRIGHT_DATABASE_URL: the server wants TLS; add sslmode=verify-full to the URL \(.*no encryption\)\.$/),
    )
  })

  test('a server without TLS that is asked for it', async () => {
    expect(
      await ending(
        CONTROLLER,
        urlWith((url) => (url.search = '?sslmode=verify-full')),
      ),
    ).toEqual(says(/^SEALWRIGHT_DATABASE_URL: the server offers no TLS, which sslmode asks for/))
  })
})

describe.concurrent('NATS:', () => {
  const aServer = async (options: Partial<Parameters<typeof startNatsServer>[0]>) => {
    const server = await startNatsServer({ dataDir: await mkdtemp(path.join(folder, 'nats-')), ...options })
    endings.defer(() => server.stop())
    return server
  }

  test('wrong credentials', async () => {
    const { port } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    expect(await ending(RELAY, { SEALWRIGHT_NATS_URL: `nats://sealwright:wrong@127.0.0.1:${port}` })).toEqual(
      says(/^SEALWRIGHT_NATS_URL or SEALWRIGHT_NATS_CREDS_FILE: the server does not take these credentials\.$/),
    )
  })

  test('a file of credentials that is not there', async () => {
    const changed = { SEALWRIGHT_NATS_URL: inject('natsUrl'), SEALWRIGHT_NATS_CREDS_FILE: path.join(folder, 'absent.creds') }
    expect(await ending(SEAL, changed)).toEqual(says(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: ENOENT.*\.$/))
  })

  test('a server without JetStream', async () => {
    const { url } = await aServer({ jetStream: false })
    expect(await ending(RELAY, { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: the server or the account has no JetStream\.$/),
    )
  })

  test('a stream of somebody else', async () => {
    const { url } = await aServer({})
    const connection = await connect({ servers: url })
    await (await jetstreamManager(connection)).streams.add({ name: 'sealwright-work', subjects: ['other.>'] })
    await connection.close()
    expect(await ending(['workers/main.ts', 'mail'], { SEALWRIGHT_NATS_URL: url })).toEqual(
      says(/^SEALWRIGHT_NATS_URL: the stream sealwright-work exists and was not made by Sealwright/),
    )
  })

  test('limits that the server cannot keep', async () => {
    const { url } = await aServer({})
    expect(await ending(RELAY, { SEALWRIGHT_NATS_URL: url, SEALWRIGHT_NATS_REPLICAS: '3' })).toEqual(
      says(/^The stream sealwright-work cannot be made: replicas > 1 not supported.* See SEALWRIGHT_NATS_REPLICAS/),
    )
  })
})

describe.concurrent('S3:', () => {
  test.each<[string, string[], Environment, RegExp]>([
    ['an unknown key', API, { SEALWRIGHT_S3_ACCESS_KEY_ID: 'nobody' }, /^SEALWRIGHT_S3_ACCESS_KEY_ID is not known/],
    ['a wrong secret', SEAL, { SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'wrong' }, /^SEALWRIGHT_S3_SECRET_ACCESS_KEY does not belong/],
    [
      'no such bucket',
      CONTROLLER,
      { SEALWRIGHT_S3_BUCKET: 'absent' },
      /^The bucket named in SEALWRIGHT_S3_BUCKET does not exist/,
    ],
    ['another region', API, { SEALWRIGHT_S3_REGION: 'eu-central-1' }, /^SEALWRIGHT_S3_REGION is not the region of the bucket/],
  ])('%s', async (_, command, changed, sentence) => {
    expect(await ending(command, changed)).toEqual(says(sentence))
  })

  test('a clock that is an hour off', async () => {
    const command = ['--import', './test/support/skewed-clock.ts', ...CONTROLLER]
    expect(await ending(command, { SKEWED_CLOCK_HOURS: '1' })).toEqual(
      says(/^This machine's clock is (59|60) minutes off the clock behind SEALWRIGHT_S3_ENDPOINT; set both by NTP\.$/),
    )
  })

  test.each([
    ['write', 'PUT', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID may not write objects \(s3:PutObject\)/],
    ['read', 'GET', 'checks/', /^SEALWRIGHT_S3_ACCESS_KEY_ID may not read objects \(s3:GetObject\)/],
    ['list', 'GET', 'list-type=2', /^SEALWRIGHT_S3_ACCESS_KEY_ID may not list objects \(s3:ListBucket\)/],
    ['delete', 'DELETE', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID may not delete objects \(s3:DeleteObject\)/],
    ['miss', 'HEAD', '', /^SEALWRIGHT_S3_ACCESS_KEY_ID may not find out that an object is missing \(s3:ListBucket\)/],
  ])('no right to %s', async (_, method, part, sentence) => {
    const proxy: FaultProxy = await startFaultProxy(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
    proxy.faults = (request) =>
      request.method === method && request.url?.split('&prefix')[0]?.includes(part) ? 'denied' : undefined
    expect(await ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: proxy.url })).toEqual(says(sentence))
    await proxy.close()
  })

  test('a certificate of an unknown authority', async () => {
    expect(await ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: tls.url })).toEqual(
      says(/^The certificate of SEALWRIGHT_S3_ENDPOINT cannot be trusted \([A-Z_]+\); see SEALWRIGHT_S3_CA_FILE\.$/),
    )
  })

  test('a store without TLS behind https', async () => {
    const endpoint = (valid['SEALWRIGHT_S3_ENDPOINT'] ?? '').replace('http:', 'https:')
    expect(await ending(CONTROLLER, { SEALWRIGHT_S3_ENDPOINT: endpoint })).toEqual(
      says(/^What answers at SEALWRIGHT_S3_ENDPOINT speaks no TLS, which https:\/\/ asks for\.$/),
    )
  })
})

describe.concurrent('the signing key:', () => {
  test.each<[string, Environment, RegExp]>([
    [
      'a file that is not there',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: 'absent.p12' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ENOENT/,
    ],
    [
      'a wrong password',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'wrong' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The password does not open the P12 file\.$/,
    ],
    [
      'a file that is no key',
      { SEALWRIGHT_SIGNING_KEY_P12_FILE: 'package.json' },
      /^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The file is not a P12/,
    ],
  ])('%s ends a sealing worker', async (_, changed, sentence) => {
    expect(await ending(SEAL, changed)).toEqual(says(sentence))
  })

  test('one that has expired, by the clock of the database', async () => {
    await using late = await testDatabase()
    await late.moveClock(200 * 365 * 86_400)
    const changed = { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'secret' }
    expect(await ending(SEAL, { ...changed, SEALWRIGHT_DATABASE_URL: late.url })).toEqual(
      says(/^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The certificate expired at /),
    )
  })

  test('a wrong password ends the service in one process', async () => {
    const changed = { SEALWRIGHT_SIGNING_KEY_P12_FILE: P12, SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'wrong' }
    expect(await ending(EMBEDDED, { ...changed, SEALWRIGHT_DATA_DIR: path.join(folder, 'embedded-key') })).toEqual(
      says(/^SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: The password does not open/),
    )
  })
})

describe.concurrent('the data folder:', () => {
  test.each([
    ['the API', API],
    ['a sealing worker', SEAL],
    ['the service in one process', EMBEDDED],
  ])('%s says that it cannot be used', async (_, command) => {
    const file = path.join(folder, `file-of-${path.basename(command.join('-'))}`)
    await copyFile('package.json', file)
    expect(await ending(command, { SEALWRIGHT_DATA_DIR: path.join(file, 'below') })).toEqual(
      says(/^SEALWRIGHT_DATA_DIR, or a folder on its way, is a file\.$/),
    )
  })

  test('an installation key in it that is none', async () => {
    const own = await mkdtemp(path.join(folder, 'keys-'))
    await mkdir(path.join(own, 'keys'))
    await writeFile(path.join(own, 'keys', 'installation.key'), 'too short')
    const { code, words } = await runTier(EMBEDDED, {
      SEALWRIGHT_DATABASE_URL: database.url,
      SEALWRIGHT_DATA_DIR: own,
      SEALWRIGHT_METRICS_PORT: '0',
    })
    expect({ code, words }).toEqual(says(/keys\/installation\.key does not hold an installation key: 32 bytes in base64\.$/))
  })
})

test('a port that is taken ends the API and the controller', async () => {
  const port = new URL(inject('postgresUrl')).port
  const [api, controller] = await Promise.all([
    ending(API, { SEALWRIGHT_PORT: port }),
    ending(CONTROLLER, { SEALWRIGHT_METRICS_PORT: port }),
  ])
  expect(api).toEqual(says(/SEALWRIGHT_PORT/))
  expect(controller).toEqual(says(/^Cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\. See SEALWRIGHT_METRICS_PORT\.$/))
})
