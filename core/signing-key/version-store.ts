// The SQL of the versions of signing keys and of their material.
// The trigger signing_key_versions_changed makes a change of a version a change of its key.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { LoadFailure } from './rules.ts'
import type { KeyMaterial, SecretReference, VersionState } from './signing-key.ts'

export interface VersionRow {
  keyId: string
  version: number
  state: VersionState
  selfMade: boolean
  request: string | null
  fingerprint: string | null
  certificate: Buffer | null
  chain: string | null
  failureReason: LoadFailure | null
  failureMessage: string | null
  announcedAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
  releasedAt: Date | null
  /** Null: the material was deleted. */
  kind: KeyMaterial['kind'] | null
  reference: SecretReference | null
}

/** How many versions of a key are shown. */
const SHOWN_VERSIONS = 10

/** The newest versions of each of the keys, and the active one; newest first. */
export async function listVersions(sql: Sql, keyIds: readonly string[]): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select v.*, m.kind, m.reference
    from unnest(${sql.array([...keyIds])}::uuid[]) k(id)
    join lateral (
      select *, row_number() over (order by version desc) as place from signing_key_versions where key_id = k.id
    ) v on v.place <= ${SHOWN_VERSIONS} or v.state = 'ACTIVE'
    left join signing_key_materials m on m.key_id = v.key_id and m.version = v.version
    order by v.key_id, v.version desc`
}

/** The newest version of the key. */
export async function findNewestVersion(sql: Sql, keyId: string): Promise<VersionRow | undefined> {
  const [row] = await sql<VersionRow[]>`
    select v.*, m.kind, m.reference
    from signing_key_versions v
    left join signing_key_materials m on m.key_id = v.key_id and m.version = v.version
    where v.key_id = ${keyId}
    order by v.version desc
    limit 1`
  return row
}

/** The version that carries out the request; not one that was replaced before it was used. */
export async function findVersionByRequest(sql: Sql, keyId: string, request: string): Promise<number | undefined> {
  const [row] = await sql<{ version: number }[]>`
    select version from signing_key_versions
    where key_id = ${keyId} and request = ${request} and (state <> 'RETIRED' or activated_at is not null)
    order by version desc
    limit 1`
  return row?.version
}

export async function findActiveVersion(sql: Sql, keyId: string): Promise<VersionRow | undefined> {
  const [row] = await sql<VersionRow[]>`
    select v.*, m.kind, m.reference
    from signing_key_versions v
    left join signing_key_materials m on m.key_id = v.key_id and m.version = v.version
    where v.key_id = ${keyId} and v.state = 'ACTIVE'`
  return row
}

/** The active and the next version of the installation's own key. */
export async function listOwnVersions(sql: Sql): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select v.*, m.kind, m.reference
    from signing_keys k
    join signing_key_versions v on v.key_id = k.id and v.state <> 'RETIRED'
    left join signing_key_materials m on m.key_id = v.key_id and m.version = v.version
    where k.provider_type = 'INSTALLATION'
    order by v.version`
}

/** What a certificate says of a version. */
export interface OpenedCertificate {
  fingerprint: string
  certificate: Buffer
  /** PEM. */
  chain: string
  notAfter: Date
}

export interface NewVersion {
  keyId: string
  version: number
  selfMade: boolean
  request: string | null
  /** Absent for material that no process has opened yet. */
  opened?: OpenedCertificate
  material: KeyMaterial
  /** The encrypted key of BOX material. */
  box?: Buffer | null
}

export async function insertVersion(
  sql: Sql,
  { keyId, version, selfMade, request, opened, material, box = null }: NewVersion,
): Promise<void> {
  const { fingerprint = null, certificate = null, chain = null, notAfter = null } = opened ?? {}
  await sql`
    insert into signing_key_versions (key_id, version, self_made, request, fingerprint, certificate, chain, not_after)
    values (${keyId}, ${version}, ${selfMade}, ${request}, ${fingerprint}, ${certificate}, ${chain}, ${notAfter})`
  const reference = material.kind === 'SECRET' ? sql.json(referenceOf(material)) : null
  await sql`
    insert into signing_key_materials (key_id, version, kind, reference, box)
    values (${keyId}, ${version}, ${material.kind}, ${reference}, ${box})`
}

function referenceOf({ namespace, name, key, passwordKey }: SecretReference): Record<string, string> {
  return { namespace, name, key, ...(passwordKey !== undefined && { passwordKey }) }
}

/** The private key of a version is here from now on, encrypted. */
export async function storeBox(
  sql: Sql,
  { keyId, version, box }: { keyId: string; version: number; box: Buffer },
): Promise<void> {
  await sql`
    update signing_key_materials set kind = 'BOX', reference = null, box = ${box}
    where key_id = ${keyId} and version = ${version}`
}

/** The material of a version that no job uses any more is gone. */
export async function deleteMaterialRow(sql: Sql, keyId: string, version: number): Promise<void> {
  await sql`
    delete from signing_key_materials m
    using signing_key_versions v
    where m.key_id = ${keyId} and m.version = ${version} and v.key_id = m.key_id and v.version = m.version and v.released_at is not null`
}

/** Retires a version that was announced and never became active. */
export async function retireNextVersion(sql: Sql, keyId: string): Promise<void> {
  await sql`
    update signing_key_versions set state = 'RETIRED', retired_at = sealwright_now()
    where key_id = ${keyId} and state in ('ANNOUNCED', 'FAILED')`
}

export async function retireActiveVersion(sql: Sql, keyId: string): Promise<void> {
  await sql`
    update signing_key_versions set state = 'RETIRED', retired_at = sealwright_now()
    where key_id = ${keyId} and state = 'ACTIVE'`
}

/** Makes an announced version the active one. False when it is not announced any more. */
export async function activateVersion(sql: Sql, keyId: string, version: number): Promise<boolean> {
  const rows = await sql`
    update signing_key_versions
    set state = 'ACTIVE', activated_at = sealwright_now(), failure_reason = null, failure_message = null
    where key_id = ${keyId} and version = ${version} and state in ('ANNOUNCED', 'FAILED') and fingerprint is not null
    returning key_id`
  return rows.length > 0
}

/** Records why the next version cannot be used. False when that is recorded already. */
export async function failVersion(
  sql: Sql,
  { keyId, version, reason, message }: { keyId: string; version: number; reason: LoadFailure; message: string },
): Promise<boolean> {
  const rows = await sql`
    update signing_key_versions set state = 'FAILED', failure_reason = ${reason}, failure_message = ${message}
    where key_id = ${keyId} and version = ${version} and state in ('ANNOUNCED', 'FAILED')
      and (state, failure_reason, failure_message) is distinct from ('FAILED', ${reason}, ${message})
    returning key_id`
  return rows.length > 0
}

export async function recoverVersion(sql: Sql, keyId: string, version: number): Promise<boolean> {
  const rows = await sql`
    update signing_key_versions set state = 'ANNOUNCED', failure_reason = null, failure_message = null
    where key_id = ${keyId} and version = ${version} and state = 'FAILED'
    returning key_id`
  return rows.length > 0
}

/** Records the certificate that a worker found in the material, unless another worker was first. Returns the fingerprint that counts. */
export async function recordOpened(
  sql: Sql,
  { keyId, version, opened }: { keyId: string; version: number; opened: OpenedCertificate },
): Promise<string | undefined> {
  const { fingerprint, certificate, chain, notAfter } = opened
  await sql`
    update signing_key_versions
    set fingerprint = ${fingerprint}, certificate = ${certificate}, chain = ${chain}, not_after = ${notAfter}
    where key_id = ${keyId} and version = ${version} and fingerprint is null`
  const [row] = await sql<{ fingerprint: string | null }[]>`
    select fingerprint from signing_key_versions where key_id = ${keyId} and version = ${version}`
  return row?.fingerprint ?? undefined
}

/** The keys with a version that is announced or failed. */
export async function listPendingKeys(sql: Sql): Promise<string[]> {
  const rows = await sql<{ keyId: string }[]>`
    select v.key_id
    from signing_key_versions v
    join signing_keys k on k.id = v.key_id
    where v.state in ('ANNOUNCED', 'FAILED') and k.state <> 'RETIRED'
    order by v.key_id`
  return rows.map(({ keyId }) => keyId)
}

/** A version that is announced or failed, with what the decision about it needs. */
export interface PendingRotation {
  keyId: string
  version: number
  request: string | null
  hasFailed: boolean
  activeVersion: number | null
  announcedSeconds: number
}

/** Locks the key for the decision; undefined when another process decides about it now, or nothing is to be decided. */
export async function lockRotation(sql: Sql, keyId: string): Promise<PendingRotation | undefined> {
  const [row] = await sql<PendingRotation[]>`
    select k.id as key_id, v.version, v.request, v.state = 'FAILED' as has_failed,
      (select a.version from signing_key_versions a where a.key_id = k.id and a.state = 'ACTIVE') as active_version,
      extract(epoch from sealwright_now() - v.announced_at)::float8 as announced_seconds
    from signing_keys k
    join signing_key_versions v on v.key_id = k.id and v.state in ('ANNOUNCED', 'FAILED')
    where k.id = ${keyId} and k.state <> 'RETIRED'
    for update of k skip locked`
  return row
}

/** Marks retired versions that no live worker has loaded any more. Returns how many. */
export async function releaseVersions(sql: Sql, liveSeconds: number): Promise<number> {
  const rows = await sql`
    update signing_key_versions v
    set released_at = sealwright_now()
    where v.state = 'RETIRED' and v.released_at is null and not exists (
      select from key_loads l
      join key_workers w on w.id = l.worker_id
      where l.key_id = v.key_id and l.version = v.version and l.outcome = 'LOADED'
        and w.seen_at > sealwright_now() - make_interval(secs => ${liveSeconds}))
    returning v.key_id`
  return rows.length
}

/** The end of the certificate of each version that seals, also in seconds from now. `key`: the name of its object, `installation`, or the beginning of the
 *  fingerprint. */
export async function listExpiries(sql: Sql): Promise<{ key: string; notAfter: Date; seconds: number }[]> {
  return sql<{ key: string; notAfter: Date; seconds: number }[]>`
    select coalesce(k.object_namespace || '/' || k.object_name, case k.provider_type when 'INSTALLATION' then 'installation' end, left(v.fingerprint, 16)) as key,
      v.not_after, extract(epoch from v.not_after - sealwright_now())::float8 as seconds
    from signing_key_versions v
    join signing_keys k on k.id = v.key_id
    where v.state = 'ACTIVE' and k.state = 'ACTIVE'`
}
