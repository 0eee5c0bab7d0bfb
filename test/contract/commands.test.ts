// The commands that need a database: each prints one JSON value and nothing else on stdout, errors on stderr.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { claimKey } from '#core/installation/check-key.ts'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '../../api/cli/run-command.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { runAsProcess, runInProcess } from '../support/clients/command-line.ts'
import { tcpFront } from '../support/faults/tcp-front.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let dataDir: string

beforeAll(async () => {
  service = await testService()
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-cli-'))
  await writeFile(path.join(dataDir, 'database-url'), service.database.url)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

const onFolder = (folder: string) => ({ SEALWRIGHT_DATA_DIR: folder })
const sealwright = (...args: string[]) => runInProcess(onFolder(dataDir), args)
const sealwrightProcess = (...args: string[]) => runAsProcess(onFolder(dataDir), args)

/** Signed, and dead-lettered after failures. */
async function aStuckEnvelope(): Promise<string> {
  const { id } = await aSentEnvelope(service.client)
  const { orgId } = service.organisation
  await service.database.owner`
    insert into seal_jobs (org_id, envelope_id, state, attempts, last_error) values (${orgId}, ${id}, 'DEAD', 3, 'the key is away')`
  return id
}

// requirements: running/commands/migrate
test('migrate does nothing on an up-to-date database, however often it is run', async () => {
  const { code, stdout } = await sealwrightProcess('migrate', '--json')
  expect([code, JSON.parse(stdout)]).toEqual([0, { applied: [] }])
})

describe('migrate --wait', () => {
  /** The database behind a port that is still closed. */
  async function closedDatabase() {
    const url = new URL(service.database.url)
    const front = tcpFront(await freePort(), Number(url.port))
    url.port = String(front.port)
    return { front, settings: { SEALWRIGHT_DATABASE_URL: url.href } }
  }

  // requirements: running/commands/migrate
  test('waits for a database that does not answer yet', async () => {
    const { front, settings } = await closedDatabase()
    let opened: Promise<void> | undefined
    const openWhenAwaited = () => void (opened ??= front.open())
    const { code, stdout, stderr } = await runAsProcess(settings, ['migrate', '--wait', '60s', '--json'], openWhenAwaited)
    await opened
    await front.close()
    expect([code, JSON.parse(stdout)]).toEqual([0, { applied: [] }])
    expect(stderr).toMatch(/^SEALWRIGHT_DATABASE_URL: the database cannot be reached .*\n$/)
  })

  // requirements: running/commands/migrate
  test('gives up after that time and says what it waited for; without it at once', async () => {
    const { settings } = await closedDatabase()
    for (const options of [['--wait', '1s'], []]) {
      const { code, stdout, stderr } = await runInProcess(settings, ['migrate', ...options])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('SEALWRIGHT_DATABASE_URL: the database cannot be reached')
    }
    expect((await sealwright('migrate', '--wait', '5')).code).toBe(2)
  })
})

describe('seal', () => {
  // requirements: running/commands/seal
  test('status names dead letters and their errors; retry makes them due again', async () => {
    const id = await aStuckEnvelope()
    const status = JSON.parse((await sealwrightProcess('seal', 'status', '--stuck', '--json')).stdout)
    expect(status).toMatchObject([{ envelopeId: id, state: 'stuck', attempts: 3, lastError: 'the key is away' }])
    // Regardless of the number of failed attempts.
    expect((await sealwright('seal', 'status')).stdout).toContain(`seal  ${id}  stuck  since ${status[0].wantedAt}  attempts 3`)
    const retried = await sealwright('seal', 'retry', '--envelope', id, '--json')
    expect([retried.code, JSON.parse(retried.stdout)]).toEqual([0, { queued: 1 }])
    expect(JSON.parse((await sealwright('seal', 'status', '--stuck', '--json')).stdout)).toEqual([])
    // It waits, so not everything is sealed.
    expect((await sealwright('seal', 'status', '--stuck')).stdout).toBe('no stuck jobs\n')
  })

  // requirements: running/commands/seal
  test('retry of an unknown id exits with 1 and says why on stderr; without an id with 2', async () => {
    const { id } = await aSentEnvelope(service.client)
    const nothing = await sealwrightProcess('seal', 'retry', '--envelope', id, '--json')
    expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([
      1,
      '',
      `Nothing to retry: no failed seal job of envelope ${id}.\n`,
    ])
    expect((await sealwright('seal', 'retry')).code).toBe(2)
    expect((await sealwright('seal', 'retry', '--envelope', 'x')).code).toBe(2)
  })
})

describe('mail', () => {
  /** Rejected by a misconfigured relay: as many emails as the envelope has signers. */
  async function aStuckMail(): Promise<{ envelopeId: string; mails: { id: string; email: string }[] }> {
    const { id } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
    const mails = await service.database.owner<{ id: string; email: string }[]>`
      update mails set state = 'DEAD', attempts = 1, failures = 1, last_error = 'RCPT TO: 554 relay access denied'
      from signers s
      where s.org_id = mails.org_id and s.id = mails.signer_id and mails.envelope_id = ${id}
      returning mails.id, s.email`
    await service.database.owner`delete from outbox`
    return { envelopeId: id, mails }
  }
  const stuck = async () => JSON.parse((await sealwright('mail', 'status', '--stuck', '--json')).stdout) as { id: string }[]

  test('status names dead letters and their errors, without addresses', async () => {
    const { envelopeId, mails } = await aStuckMail()
    const rows = await stuck()
    expect(rows).toHaveLength(mails.length)
    expect(rows[0]).toEqual({
      kind: 'mail',
      orgId: service.organisation.orgId,
      id: expect.any(String),
      envelopeId,
      template: 'SIGNING_LINK',
      state: 'stuck',
      attempts: 1,
      wantedAt: expect.any(String),
      dueAt: expect.any(String),
      lastError: 'RCPT TO: 554 relay access denied',
    })
    const { stdout } = await sealwrightProcess('mail', 'status')
    expect(stdout).toContain(`SIGNING_LINK  ${envelopeId}  stuck  since`)
    for (const { email } of mails) expect(stdout).not.toContain(email)
  })

  test.each([
    ['one mail', ({ mails }: { mails: { id: string }[] }) => ['--id', mails[0]!.id], 1],
    ['those of an envelope', ({ envelopeId }: { envelopeId: string }) => ['--envelope', envelopeId], 2],
    ['all', () => ['--all'], 2],
  ])('retry makes %s due again, and publishes a notification', async (_, choice, queued) => {
    await sealwright('mail', 'retry', '--all')
    const deadLettered = await aStuckMail()
    const { code, stdout } = await sealwright('mail', 'retry', ...choice(deadLettered), '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { queued }])
    expect(await stuck()).toHaveLength(deadLettered.mails.length - queued)
    const reset = await service.database.owner`
      select state, attempts, failures, due_at <= sealwright_now() as is_due from mails
      where envelope_id = ${deadLettered.envelopeId} and state = 'WAITING'`
    expect([...reset]).toEqual(
      Array.from({ length: queued }, () => ({ state: 'WAITING', attempts: 0, failures: 0, isDue: true })),
    )
    const notifications = await service.database
      .owner`select body->>'id' as id from outbox where subject = 'sealwright.mail.requested'`
    expect(notifications).toHaveLength(queued)
    const [event] = await service.database.owner`select action, detail from admin_events order by id desc limit 1`
    expect(event).toMatchObject({ action: 'work.retried', detail: { kind: 'mail', jobs: queued } })
  })

  test('retry of nothing exits with 1 and says so on stderr; no choice, or two, with 2', async () => {
    const nothing = await sealwright('mail', 'retry', '--envelope', randomUUID(), '--json')
    expect([nothing.code, nothing.stdout]).toEqual([1, ''])
    expect(nothing.stderr).toMatch(/^Nothing to retry: no failed mail job of envelope .*\.\n$/)
    for (const wrong of [[], ['--all', '--id', randomUUID()], ['--id', 'x'], ['--envelope', 'x']])
      expect((await sealwright('mail', 'retry', ...wrong)).code).toBe(2)
  })
})

describe('work', () => {
  // requirements: running/commands/work
  test('status lists the jobs of every kind, or of one; retry requires the kind', async () => {
    const id = await aStuckEnvelope()
    const kindsOf = async (...options: string[]) => {
      const rows: { kind: string; id: string }[] = JSON.parse((await sealwright('work', 'status', '--json', ...options)).stdout)
      return new Set(rows.map(({ kind }) => kind))
    }
    expect(await kindsOf()).toEqual(new Set(['seal', 'mail']))
    expect(await kindsOf('--kind', 'seal', '--stuck')).toEqual(new Set(['seal']))
    const retried = await sealwrightProcess('work', 'retry', '--kind', 'seal', '--id', id, '--json')
    expect([retried.code, JSON.parse(retried.stdout)]).toEqual([0, { queued: 1 }])
    for (const wrong of [['--all'], ['--kind', 'nothing', '--all'], ['--kind', 'seal']])
      expect((await sealwright('work', 'retry', ...wrong)).code).toBe(2)
  })
})

test('audit verify fails for an unknown organisation', async () => {
  await mkdir(path.join(dataDir, 'keys'), { recursive: true })
  await writeFile(path.join(dataDir, 'keys', 'installation.key'), randomBytes(32).toString('base64'))
  const { code, stdout, stderr } = await sealwrightProcess('audit', 'verify', '--org', randomUUID())
  expect([code, stdout, stderr]).toEqual([1, '', 'The organisation was not found.\n'])
})

test("audit verify gives no verdict with another installation's key", async () => {
  await claimKey(service.system)
  const { code, stdout, stderr } = await sealwright('audit', 'verify')
  expect([code, stdout, stderr]).toEqual([1, '', 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.\n'])
})

describe('a relative path is one in the folder of the caller', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sealwright-caller-'))
    await writeFile(path.join(folder, 'only-here'), 'no PDF, no key')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const here = (...args: string[]) => {
    const installationKey = service.installationKey.toString('base64')
    const settings = { INIT_CWD: folder, SEALWRIGHT_DATABASE_URL: service.database.url, SEALWRIGHT_DATA_DIR: service.dataDir }
    return runInProcess({ ...settings, SEALWRIGHT_INSTALLATION_KEY: installationKey }, args)
  }
  const RECEIVER = ['--api', '', '--receiver', 'https://receiver.example.test/', '--receiver-certificate']

  // Each option in its command, with the other arguments that let the command read it.
  const CASES: Record<string, { before?: string[]; answer: RegExp }> = {
    'verify <file>': { answer: /^only-here: NOT VALID/ },
    'verify --trust <pem>': { before: ['verify', 'only-here', '--trust'], answer: /contains no PEM certificate/ },
    'key import --p12 <file>': { answer: /^only-here: .*\(NotPkcs12\)/ },
    'key import --password-file <file>': {
      before: ['key', 'import', '--p12', 'only-here', '--password-file'],
      answer: /^only-here: .*\(NotPkcs12\)/,
    },
    'audit verify --file <pdf...>': { answer: /^only-here: DOES NOT MATCH/m },
    'check-installation --receiver-certificate <file>': { before: ['check-installation', ...RECEIVER], answer: /PEM/ },
    'installation-key rotate --database-url-file <file>': { answer: /^only-here does not contain a database URL\.$/m },
    'backup verify --problems <file>': { answer: /already exists.*only-here/ },
  }

  test('in every command that takes a file', () => {
    expect(filesOf(buildProgram()).toSorted()).toEqual(Object.keys(CASES).toSorted())
  })

  test.each(Object.entries(CASES))('%s', async (option, { before, answer }) => {
    const args = before ?? option.split(' ').slice(0, -1)
    const { stdout, stderr } = await here(...args.map((arg) => arg || service.url), 'only-here')
    expect(stdout + stderr).toMatch(answer)
    expect(stdout + stderr).not.toMatch(/does not exist|ENOENT/)
  })

  /** The arguments and options that name files, each with its command. */
  function filesOf(command: Command, name = ''): string[] {
    const options = command.options.map(({ flags }) => flags)
    const named = [...command.registeredArguments.map((argument) => `<${argument.name()}>`), ...options]
    const own = named.filter((each) => /<(?:file|pdf|pem)\b/.test(each)).map((each) => `${name} ${each}`.trim())
    return [...own, ...command.commands.flatMap((each) => filesOf(each, `${name} ${each.name()}`.trim()))]
  }
})

test.each([
  ['away', 'postgres://x@127.0.0.1:1/x', /^SEALWRIGHT_DATABASE_URL: the database cannot be reached \(.*ECONNREFUSED.*\)\.\n$/],
  ['another', undefined, /^SEALWRIGHT_DATABASE_URL: the database does not exist \(.*\)\.\n$/],
])('a command says in one sentence when the database is %s', async (_, url, sentence) => {
  const own = await mkdtemp(path.join(tmpdir(), 'sealwright-cli-'))
  const gone = new URL(service.database.url)
  gone.pathname = '/nowhere'
  await writeFile(path.join(own, 'database-url'), url ?? gone.href)
  for (const command of [['org', 'list'], ['migrate']]) {
    const { code, stdout, stderr } = await runInProcess(onFolder(own), command)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)])
  }
  await rm(own, { recursive: true })
})

test('--version prints the version', async () => {
  const { code, stdout } = await sealwrightProcess('--version')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
})
