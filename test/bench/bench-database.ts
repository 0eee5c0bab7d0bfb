// A separate, filled Postgres for benchmarks, with a credential that may read everything of the largest organisation.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newCredential } from '#core/account/credential/new-credential.ts'
import type { OrgId, WorkspaceId } from '#core/ids.ts'
import { inTransaction, openDatabase } from '#core/platform/postgres/client.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { startPostgres } from '../../hack/servers/postgres.ts'
import { fillDatabase, type FillOptions } from './fill-database.ts'

export interface BenchDatabase extends AsyncDisposable {
  url: string
  orgId: OrgId
  clientId: string
  clientSecret: string
  /** Some of the organisation's envelopes, spread over its whole history. */
  envelopeIds: string[]
}

/** `durable`: with fsync, as in production. */
export async function benchDatabase(fill: FillOptions, { durable }: { durable: boolean }): Promise<BenchDatabase> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const options = {
    dataDir: path.join(folder, 'data'),
    password: randomUUID(),
    persistent: true,
    settings: ['max_connections=100'],
  }
  const server = await startPostgres({ ...options, durable })
  stack.defer(() => server.stop())
  const url = `${server.url}/postgres`
  await migrate(url)
  const owner = openDatabase({ url, pool: 1 })
  stack.defer(() => owner.end({ timeout: 5 }))
  await fillDatabase(owner, fill)
  const [largest] = await owner<{ orgId: OrgId }[]>`select org_id from envelopes group by org_id order by count(*) desc limit 1`
  const { orgId } = largest!
  const workspaces = await owner<{ id: WorkspaceId }[]>`select id from workspaces where org_id = ${orgId}`
  const grants = workspaces.map(({ id }) => ({ workspaceId: id, permissions: PERMISSIONS }))
  const credential = await inTransaction(owner, (sql) => newCredential(sql, orgId, { name: 'Bench', workspaces: grants }))
  const rows = await owner<{ id: string }[]>`
    select id from envelopes where org_id = ${orgId} and drops_at is null order by md5(id::text) limit 500`
  const running = stack.move()
  return {
    url,
    orgId,
    ...credential,
    envelopeIds: rows.map(({ id }) => id),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
