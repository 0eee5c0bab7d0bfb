// The commands of the table that need a database: each prints one JSON value and nothing else on stdout, faults on stderr.
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { claimKey } from '#core/installation/check-key.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
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

const sealwright = (...args: string[]) => sealwrightOn(dataDir, ...args)

function sealwrightOn(folder: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], SEALWRIGHT_DATA_DIR: folder }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['api/cli/main.ts', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

/** Signed, and set aside after failures. */
async function aStuckEnvelope(): Promise<string> {
  const { id } = await aSentEnvelope(service.client)
  const { orgId } = service.organisation
  await service.database.owner`
    insert into seal_jobs (org_id, envelope_id, state, attempts, last_error) values (${orgId}, ${id}, 'DEAD', 3, 'the key is away')`
  return id
}

// rows: running/commands/migrate
test('migrate finds nothing to do on a database that is up to date, as often as it is run', async () => {
  const { code, stdout } = await sealwright('migrate', '--json')
  expect([code, JSON.parse(stdout)]).toEqual([0, { applied: [] }])
})

describe('seal', () => {
  // rows: running/commands/seal
  test('status names what is stuck and why; retry makes it due again', async () => {
    const id = await aStuckEnvelope()
    const status = JSON.parse((await sealwright('seal', 'status', '--stuck', '--json')).stdout)
    expect(status).toMatchObject([{ envelopeId: id, state: 'stuck', attempts: 3, lastError: 'the key is away' }])
    // However often it was tried in vain.
    expect((await sealwright('seal', 'status')).stdout).toContain(`seal  ${id}  stuck  since ${status[0].wantedAt}  attempts 3`)
    const retried = await sealwright('seal', 'retry', '--envelope', id, '--json')
    expect([retried.code, JSON.parse(retried.stdout)]).toEqual([0, { queued: 1 }])
    expect(JSON.parse((await sealwright('seal', 'status', '--stuck', '--json')).stdout)).toEqual([])
    // It waits, so that not everything is sealed.
    expect((await sealwright('seal', 'status', '--stuck')).stdout).toBe('no stuck jobs\n')
  })

  // rows: running/commands/seal
  test('retry of nothing ends with 1 and says why on stderr; no id at all with 2', async () => {
    const { id } = await aSentEnvelope(service.client)
    const nothing = await sealwright('seal', 'retry', '--envelope', id, '--json')
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
  /** Refused by a mis-set relay: as many mails as the envelope has signers. */
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

  test('status names what is stuck and why, to nobody’s address', async () => {
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
    const { stdout } = await sealwright('mail', 'status')
    expect(stdout).toContain(`SIGNING_LINK  ${envelopeId}  stuck  since`)
    for (const { email } of mails) expect(stdout).not.toContain(email)
  })

  test.each([
    ['one mail', ({ mails }: { mails: { id: string }[] }) => ['--id', mails[0]!.id], 1],
    ['those of an envelope', ({ envelopeId }: { envelopeId: string }) => ['--envelope', envelopeId], 2],
    ['all', () => ['--all'], 2],
  ])('retry makes %s due again, and rings', async (_, choice, queued) => {
    await sealwright('mail', 'retry', '--all')
    const parked = await aStuckMail()
    const { code, stdout } = await sealwright('mail', 'retry', ...choice(parked), '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { queued }])
    expect(await stuck()).toHaveLength(parked.mails.length - queued)
    const reset = await service.database.owner`
      select state, attempts, failures, due_at <= sealwright_now() as is_due from mails
      where envelope_id = ${parked.envelopeId} and state = 'WAITING'`
    expect([...reset]).toEqual(
      Array.from({ length: queued }, () => ({ state: 'WAITING', attempts: 0, failures: 0, isDue: true })),
    )
    const rung = await service.database.owner`select body->>'id' as id from outbox where subject = 'sealwright.mail.requested'`
    expect(rung).toHaveLength(queued)
    const [told] = await service.database.owner`select action, detail from admin_events order by id desc limit 1`
    expect(told).toMatchObject({ action: 'work.retried', detail: { kind: 'mail', jobs: queued } })
  })

  test('retry of nothing ends with 1 and says so on stderr; no choice, or two, with 2', async () => {
    const nothing = await sealwright('mail', 'retry', '--envelope', randomUUID(), '--json')
    expect([nothing.code, nothing.stdout]).toEqual([1, ''])
    expect(nothing.stderr).toMatch(/^Nothing to retry: no failed mail job of envelope .*\.\n$/)
    for (const wrong of [[], ['--all', '--id', randomUUID()], ['--id', 'x'], ['--envelope', 'x']])
      expect((await sealwright('mail', 'retry', ...wrong)).code).toBe(2)
  })
})

describe('work', () => {
  // rows: running/commands/work
  test('status lists the jobs of every kind, or of one; retry asks for the kind', async () => {
    const id = await aStuckEnvelope()
    const kindsOf = async (...options: string[]) => {
      const rows: { kind: string; id: string }[] = JSON.parse((await sealwright('work', 'status', '--json', ...options)).stdout)
      return new Set(rows.map(({ kind }) => kind))
    }
    expect(await kindsOf()).toEqual(new Set(['seal', 'mail']))
    expect(await kindsOf('--kind', 'seal', '--stuck')).toEqual(new Set(['seal']))
    const retried = await sealwright('work', 'retry', '--kind', 'seal', '--id', id, '--json')
    expect([retried.code, JSON.parse(retried.stdout)]).toEqual([0, { queued: 1 }])
    for (const wrong of [['--all'], ['--kind', 'nothing', '--all'], ['--kind', 'seal']])
      expect((await sealwright('work', 'retry', ...wrong)).code).toBe(2)
  })
})

test('audit verify fails for an organisation that is not there', async () => {
  await mkdir(path.join(dataDir, 'keys'), { recursive: true })
  await writeFile(path.join(dataDir, 'keys', 'installation.key'), randomBytes(32).toString('base64'))
  const { code, stdout, stderr } = await sealwright('audit', 'verify', '--org', randomUUID())
  expect([code, stdout, stderr]).toEqual([1, '', 'The organisation was not found.\n'])
})

test('audit verify is no judge with the key of another installation', async () => {
  await claimKey(service.system)
  const { code, stdout, stderr } = await sealwright('audit', 'verify')
  expect([code, stdout, stderr]).toEqual([1, '', 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.\n'])
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
    const { code, stdout, stderr } = await sealwrightOn(own, ...command)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)])
  }
  await rm(own, { recursive: true })
})

test('--version tells the version', async () => {
  const { code, stdout } = await sealwright('--version')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
})
