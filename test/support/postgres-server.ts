// One Postgres for a test run; each test file clones its own database from the migrated template.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#core/postgres/migrate.ts'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../hack/servers/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-postgres-'))
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    password: randomUUID(),
    durable: false,
    persistent: false,
    settings: ['max_connections=300'],
  })
  const admin = postgres(`${server.url}/postgres`, { max: 1 })
  await admin`create database template`
  await admin.end()
  await migrate(`${server.url}/template`)
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
