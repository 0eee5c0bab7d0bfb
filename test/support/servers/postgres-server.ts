// One Postgres per test run; each test file clones its database from the migrated template. Projects are set up one after the other with
// separate modules, so shared state is kept where the whole process can see it.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#core/platform/postgres/migrate.ts'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { createDatabaseUsers, type DatabaseUrls } from '../../../hack/servers/database-users.ts'
import { startPostgres } from '../../../hack/servers/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The users of the components in `docs/database-users.sql`, in the database `template`. */
    databaseUrls: DatabaseUrls
  }
}

interface SharedServer {
  url: string
  databaseUrls: DatabaseUrls
  users: number
  stop(): Promise<void>
}

const SHARED = Symbol.for('sealwright.test.postgres')
const everywhere = globalThis as { [SHARED]?: Promise<SharedServer> | undefined }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = await (everywhere[SHARED] ??= start())
  shared.users++
  project.provide('postgresUrl', shared.url)
  project.provide('databaseUrls', shared.databaseUrls)
  return async () => {
    if (--shared.users > 0) return
    everywhere[SHARED] = undefined
    await shared.stop()
  }
}

async function start(): Promise<SharedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-postgres-'))
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    password: randomUUID(),
    durable: false,
    persistent: false,
    settings: ['max_connections=500'],
  })
  const admin = postgres(`${server.url}/postgres`, { max: 1 })
  await admin`create database template`
  await admin.end()
  await migrate(`${server.url}/template`)
  return {
    url: server.url,
    databaseUrls: await createDatabaseUsers(`${server.url}/template`),
    users: 0,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
