// An upgrade to a version with one migration more while envelopes are signed, the way back, and upgrades that the preflight refuses.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../support/clients/ask.ts'
import { loadImageWithMigration } from '../../support/clients/kind-images.ts'
import { installEvaluation, type Release } from '../../support/clients/kind-release.ts'
import { signSteadily } from '../../support/clients/steady-envelopes.ts'
import { pdfFixture } from '../../support/builders/pdf-fixtures.ts'
import { assertSealedOnce } from '../../support/invariants/sealed-in-release.ts'
import { kindCluster } from '../../support/clients/kind-cluster.ts'

const NAMESPACE = 'kind-upgrade'
const NEXT = ['--set-string', 'image.repository=sealwright', '--set-string', 'image.tag=next']
const MIGRATION = '0999_next.sql'

let release: Release
let pdf: Buffer
beforeAll(async () => {
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-chart-'))
  const packed = await kindCluster(NAMESPACE).helm('package', 'charts/sealwright', '--version', '0.0.9', '--destination', folder)
  expect(packed).toMatchObject({ exitCode: 0 })
  release = await installEvaluation(NAMESPACE, path.join(folder, 'sealwright-0.0.9.tgz'))
  await rm(folder, { recursive: true })
  const newest = await inDatabase((sql) => sql<{ version: number }[]>`select max(version) as version from migrations`)
  const compatibleFrom = String(newest[0]?.version).padStart(4, '0')
  await loadImageWithMigration(
    'sealwright:next',
    MIGRATION,
    `-- compatible from: ${compatibleFrom}\ncreate table added (id integer);\n`,
  )
})
afterAll(() => release.cluster.deleteNamespace())

async function inDatabase<T>(question: Parameters<typeof ask<T>>[1]): Promise<T> {
  await using database = await release.forwardDatabase()
  // Awaited before the forwarding ends.
  return await ask(database.url, question)
}

interface Deployments {
  items: { metadata: { name: string; generation: number }; spec: { template: { spec: { containers: { image: string }[] } } } }[]
}
/** Changes with the specification of a component. */
async function generations(): Promise<string[]> {
  const { items } = await release.cluster.read<Deployments>('deployments')
  return items.map(({ metadata }) => `${metadata.name} ${metadata.generation}`)
}
async function images(): Promise<string[]> {
  const { items } = await release.cluster.read<Deployments>('deployments')
  return [...new Set(items.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)))]
}

/** Signs envelopes while it runs, and checks that none was disturbed. */
async function whileSigning(change: () => ReturnType<Release['upgrade']>): Promise<void> {
  const clients = signSteadily(release.dev, pdf, 2)
  const { exitCode, stderr } = await change()
  const { signed, failures } = await clients.stop()
  console.log(`${signed.length} envelopes signed, ${failures.length} requests failed`)
  expect([exitCode, stderr, failures]).toEqual([0, expect.any(String), []])
  expect(signed.length).toBeGreaterThan(5)
  await assertSealedOnce(release, signed)
}

/** What Helm says of an upgrade that fails: it has the log of the Job. */
async function refusal(...args: readonly string[]): Promise<string> {
  const before = await generations()
  const { exitCode, stderr } = await release.upgrade(...NEXT, ...args)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('pre-upgrade hooks failed')])
  expect(await generations()).toEqual(before)
  return stderr
}

test('an upgrade to a schema that the version does not know is refused before anything changed', async () => {
  await inDatabase((sql) => sql`insert into migrations (version, name, digest) values (9999, '9999_future.sql', 'x')`)
  expect(await refusal()).toContain('the database has migration 9999_future.sql, which this version does not know')
  await inDatabase((sql) => sql`delete from migrations where version = 9999`)
  const added = await inDatabase((sql) => sql`select to_regclass('added') as added`)
  expect(added).toEqual([{ added: null }])
})

test('an upgrade from the packed version before applies the migration and fails no request', async () => {
  await whileSigning(() => release.upgrade(...NEXT))
  expect(await images()).toEqual(['sealwright:next'])
  const applied = await inDatabase((sql) => sql`select name from migrations where version = 999`)
  expect(applied).toEqual([{ name: MIGRATION }])
})

test('a rollback to the version before fails no request: it works with the newer schema', async () => {
  await whileSigning(() => release.cluster.helm('rollback', 'sealwright', '1', '--wait', '--timeout', '420s'))
  expect(await images()).toEqual(['sealwright:test'])
})

test('an upgrade without a reachable database is refused before anything changed', async () => {
  expect((await release.cluster.kubectl('scale', 'statefulset/sealwright-postgres', '--replicas', '0')).exitCode).toBe(0)
  expect((await release.cluster.kubectl('wait', '--for=delete', 'pod/sealwright-postgres-0', '--timeout', '60s')).exitCode).toBe(
    0,
  )
  expect(await refusal()).toContain('SEALWRIGHT_DATABASE_URL: the database cannot be reached')
})
