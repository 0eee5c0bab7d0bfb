// The SQL of the processes that seal: that they live, and which versions they have loaded.
// The triggers key_loads_counted and key_loads_changed make a change of a load a change of its key.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { RotationWorker, LoadFailure } from './rules.ts'
import type { KeyMaterial, SecretReference } from './signing-key.ts'

/** A worker counts as live for this long after its last heartbeat. */
export const LIVE_SECONDS = 30
/** A failed load is tried again after this. */
const RETRY_SECONDS = 10

/** A version that a worker has to load, or may drop. */
export interface WantedVersion {
  keyId: string
  version: number
  /** False for a version that it has loaded and that is not wanted any more. */
  isWanted: boolean
  orgId: string | null
  selfMade: boolean
  fingerprint: string | null
  kind: KeyMaterial['kind']
  reference: SecretReference | null
  box: Buffer | null
}

function wantedVersions(sql: Sql) {
  return sql`
    select v.key_id, v.version, k.org_id, v.self_made, v.fingerprint, m.kind, m.reference, m.box, k.state <> 'RETIRED' and v.state <> 'RETIRED' as is_wanted
    from signing_key_versions v
    join signing_keys k on k.id = v.key_id
    join signing_key_materials m on m.key_id = v.key_id and m.version = v.version`
}

/** Records that the worker lives. */
export async function recordHeartbeat(sql: Sql, { id, name }: { id: string; name: string }): Promise<void> {
  await sql`
    insert into key_workers (id, name) values (${id}, ${name})
    on conflict (id) do update set seen_at = sealwright_now()`
}

/** The versions that the worker has to load or may drop. */
export async function listWantedVersions(sql: Sql, workerId: string): Promise<WantedVersion[]> {
  return sql<WantedVersion[]>`
    with wanted as (${wantedVersions(sql)})
    select w.*
    from wanted w
    left join key_loads l on l.key_id = w.key_id and l.version = w.version and l.worker_id = ${workerId}
    where (w.is_wanted and (l.outcome is null or (l.outcome = 'FAILED' and l.at <= sealwright_now() - make_interval(secs => ${RETRY_SECONDS}))))
      or (not w.is_wanted and l.outcome is not null)
    order by w.key_id, w.version`
}

/** One version, to load it on the spot. */
export async function findLoadable(sql: Sql, keyId: string, version: number): Promise<WantedVersion | undefined> {
  const [row] = await sql<WantedVersion[]>`
    with wanted as (${wantedVersions(sql)}) select * from wanted where key_id = ${keyId} and version = ${version}`
  return row
}

/** What a live worker did with a version; nulls for a worker that has done nothing yet. */
export interface LoadRow {
  workerId: string
  name: string
  keyId: string | null
  version: number | null
  outcome: LoadOutcome['outcome'] | null
  reason: LoadFailure | null
  message: string | null
}

export type LoadOutcome = { outcome: 'LOADED' } | { outcome: 'FAILED'; reason: LoadFailure; message: string }

/** Records what the worker did with a version. Nothing when the version or the worker's row is gone. */
export async function recordLoad(
  sql: Sql,
  workerId: string,
  { keyId, version }: { keyId: string; version: number },
  load: LoadOutcome,
): Promise<void> {
  const { reason, message } = load.outcome === 'FAILED' ? load : { reason: null, message: null }
  await sql`
    insert into key_loads (key_id, version, worker_id, outcome, reason, message)
    select v.key_id, v.version, w.id, ${load.outcome}, ${reason}, ${message}
    from signing_key_versions v, key_workers w
    where v.key_id = ${keyId} and v.version = ${version} and w.id = ${workerId}
    on conflict (key_id, version, worker_id) do update
      set outcome = excluded.outcome, reason = excluded.reason, message = excluded.message, at = excluded.at`
}

export async function deleteLoad(
  sql: Sql,
  workerId: string,
  { keyId, version }: { keyId: string; version: number },
): Promise<void> {
  await sql`delete from key_loads where worker_id = ${workerId} and key_id = ${keyId} and version = ${version}`
}

/** At its clean stop: rotations do not wait for it. */
export async function deleteWorker(sql: Sql, workerId: string): Promise<void> {
  await sql`delete from key_workers where id = ${workerId}`
}

/** Deletes the rows of processes that crashed. Returns how many. */
export async function deleteDeadWorkers(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from key_workers where seen_at <= sealwright_now() - make_interval(secs => ${2 * LIVE_SECONDS}) returning id`
  return rows.length
}

/** The live workers, and what they did with the two versions of a key. */
export async function listRotationWorkers(
  sql: Sql,
  { keyId, version, activeVersion }: { keyId: string; version: number; activeVersion: number | null },
): Promise<RotationWorker[]> {
  return sql<RotationWorker[]>`
    select w.name, l.outcome, l.reason, l.message, coalesce(a.outcome = 'LOADED', false) as has_active
    from key_workers w
    left join key_loads l on l.worker_id = w.id and l.key_id = ${keyId} and l.version = ${version}
    left join key_loads a on a.worker_id = w.id and a.key_id = ${keyId} and a.version = ${activeVersion}
    where w.seen_at > sealwright_now() - make_interval(secs => ${LIVE_SECONDS})
    order by w.name, w.id`
}

/** The live workers with each version that they have tried to load; one row without a version for a worker that has tried none. */
export async function listLoads(sql: Sql): Promise<LoadRow[]> {
  return sql<LoadRow[]>`
    select w.id as worker_id, w.name, l.key_id, l.version, l.outcome, l.reason, l.message
    from key_workers w
    left join key_loads l on l.worker_id = w.id
    where w.seen_at > sealwright_now() - make_interval(secs => ${LIVE_SECONDS})
    order by w.name, w.id`
}
