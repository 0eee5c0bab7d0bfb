// The SQL of the logical signing keys.
// Triggers of `signing_keys` count its version (signing_keys_changed) and note changes for Kubernetes (signing_keys_mirrored, signing_keys_changes_mirrored).
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { SealCandidate, ProviderType } from './rules.ts'
import type { KeyObjectRef, KeyOrigin, KeyState } from './signing-key.ts'

export interface KeyRow {
  id: string
  orgId: string | null
  origin: KeyOrigin
  providerType: ProviderType
  state: KeyState
  createdAt: Date
  compromisedSince: Date | null
  fileFingerprint: string | null
  handledRequest: string | null
  trustedUntil: Date | null
  rowVersion: number
  objectNamespace: string | null
  objectName: string | null
  objectUid: string | null
  objectGeneration: number | null
  objectCreatedAt: Date | null
  orphanedAt: Date | null
}

/** A key by its own id, by that of its Kubernetes object, or the installation's own. */
export type KeyRef = { id: string } | { uid: string } | 'installation'

function isKey(sql: Sql, ref: KeyRef) {
  if (ref === 'installation') return sql`k.provider_type = 'INSTALLATION'`
  return 'id' in ref ? sql`k.id = ${ref.id}` : sql`k.object_uid = ${ref.uid}`
}

/** What else there is for the documents of a key. */
export interface KeyScope {
  /** When a key with a certificate of an issuer was last in use for them but is no longer. */
  scopeTrustedUntil: Date | null
  /** The installation's own key, while another one seals for the whole installation. */
  isReplaced: boolean
}

function withScope(sql: Sql) {
  return sql`
    select k.*,
      (select max(t.trusted_until) from signing_keys t where t.state <> 'ACTIVE' and (t.org_id is null or t.org_id = k.org_id)) as scope_trusted_until,
      k.provider_type = 'INSTALLATION' and exists (
        select from signing_keys o
        join signing_key_versions v on v.key_id = o.id and v.state = 'ACTIVE'
        where o.org_id is null and o.provider_type <> 'INSTALLATION' and o.state = 'ACTIVE') as is_replaced
    from signing_keys k`
}

export async function findKey(sql: Sql, ref: KeyRef): Promise<(KeyRow & KeyScope) | undefined> {
  const [row] = await sql<(KeyRow & KeyScope)[]>`${withScope(sql)} where ${isKey(sql, ref)}`
  return row
}

/** Locks the key until the end of the transaction. */
export async function lockKey(sql: Sql, ref: KeyRef): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`select k.* from signing_keys k where ${isKey(sql, ref)} for update`
  return row
}

/** Oldest first. */
export async function listKeyRows(sql: Sql): Promise<(KeyRow & KeyScope)[]> {
  return sql<(KeyRow & KeyScope)[]>`${withScope(sql)} order by k.created_at, k.id`
}

/** The active key of an organisation, or the installation-wide one, locked; never the installation's own. */
export async function lockActiveKey(sql: Sql, orgId: string | null): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select * from signing_keys
    where org_id is not distinct from ${orgId}::uuid and state = 'ACTIVE' and provider_type <> 'INSTALLATION'
    for update`
  return row
}

export interface NewKey {
  id: string
  orgId: string | null
  origin: KeyOrigin
  providerType: ProviderType
  state: KeyState
}

/** False, and nothing inserted, when the installation's own key exists already. Its object is set with `setKeyObject`. */
export async function insertKey(sql: Sql, { id, orgId, origin, providerType, state }: NewKey): Promise<boolean> {
  const rows = await sql`
    insert into signing_keys (id, org_id, origin, provider_type, state)
    values (${id}, ${orgId}, ${origin}, ${providerType}, ${state})
    on conflict (provider_type) where provider_type = 'INSTALLATION' do nothing
    returning id`
  return rows.length > 0
}

export async function setKeyObject(
  sql: Sql,
  id: string,
  { namespace, name, uid, generation, createdAt }: KeyObjectRef,
): Promise<void> {
  await sql`
    update signing_keys
    set object_namespace = ${namespace}, object_name = ${name}, object_uid = ${uid}, object_generation = ${generation}, object_created_at = ${createdAt},
      orphaned_at = null
    where id = ${id}
      and (object_namespace, object_name, object_uid, object_generation, object_created_at, orphaned_at)
        is distinct from (${namespace}, ${name}, ${uid}::uuid, ${generation}::bigint, ${createdAt}::timestamptz, null::timestamptz)`
}

/** Sets the state, and when the key was last in use with a certificate that this installation did not make itself. */
export async function setKeyState(sql: Sql, id: string, state: KeyState): Promise<void> {
  await sql`
    update signing_keys k
    set state = ${state},
      trusted_until = case when k.state = 'ACTIVE' and exists (
        select from signing_key_versions v where v.key_id = k.id and v.activated_at is not null and not v.self_made
      ) then sealwright_now() else k.trusted_until end
    where k.id = ${id} and k.state <> ${state}`
}

export async function setCompromised(sql: Sql, id: string, since: Date | null): Promise<void> {
  await sql`update signing_keys set compromised_since = ${since} where id = ${id} and compromised_since is distinct from ${since}::timestamptz`
}

export async function setHandledRequest(sql: Sql, id: string, request: string): Promise<void> {
  await sql`update signing_keys set handled_request = ${request} where id = ${id} and handled_request is distinct from ${request}`
}

export async function setFileFingerprint(sql: Sql, id: string, fingerprint: string): Promise<void> {
  await sql`update signing_keys set file_fingerprint = ${fingerprint} where id = ${id}`
}

/** The object was deleted: the key keeps its versions without it. */
export async function forgetKeyObject(sql: Sql, id: string): Promise<void> {
  await sql`
    update signing_keys
    set object_namespace = null, object_name = null, object_uid = null, object_generation = null, object_created_at = null, orphaned_at = null
    where id = ${id}`
}

/** Returns how many were not marked before. */
export async function markOrphanedKeys(sql: Sql, uids: readonly string[]): Promise<number> {
  const rows = await sql`
    update signing_keys set orphaned_at = sealwright_now()
    where object_uid = any(${sql.array([...uids])}::uuid[]) and orphaned_at is null
    returning id`
  return rows.length
}

/** Marked as orphaned and not retired. */
export async function countOrphanedRows(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from signing_keys where orphaned_at is not null and state <> 'RETIRED'`
  return row?.count ?? 0
}

/** What can seal for the organisation, and when a key with a certificate of an issuer was last in use for it but is no longer; one row at least. */
export async function listSealCandidates(
  sql: Sql,
  orgId: OrgId,
): Promise<{ now: Date; trustedUntil: Date | null; candidate: SealCandidate | null }[]> {
  const rows = await sql<
    ({ now: Date; trustedUntil: Date | null } & { [Key in keyof SealCandidate]: SealCandidate[Key] | null })[]
  >`
    select sealwright_now() as now,
      (select max(trusted_until) from signing_keys where (org_id is null or org_id = ${orgId}) and state <> 'ACTIVE') as trusted_until,
      c.*
    from (select) one
    left join (
      select k.id as key_id, k.org_id, k.provider_type, k.compromised_since, v.version, v.fingerprint, v.self_made, v.activated_at
      from signing_keys k
      join signing_key_versions v on v.key_id = k.id and v.state = 'ACTIVE'
      where (k.org_id is null or k.org_id = ${orgId}) and k.state = 'ACTIVE'
    ) c on true`
  return rows.map(({ now, trustedUntil, ...row }) => ({ now, trustedUntil, candidate: toCandidate(row) }))
}

function toCandidate(row: { [Key in keyof SealCandidate]: SealCandidate[Key] | null }): SealCandidate | null {
  const { keyId, orgId, providerType, compromisedSince, version, fingerprint, selfMade, activatedAt } = row
  if (
    keyId === null ||
    providerType === null ||
    version === null ||
    fingerprint === null ||
    selfMade === null ||
    activatedAt === null
  )
    return null
  return { keyId, orgId, providerType, compromisedSince, version, fingerprint, selfMade, activatedAt }
}

export async function hasOrganisation(sql: Sql, orgId: string): Promise<boolean> {
  const rows = await sql`select from organisations where id = ${orgId}`
  return rows.length > 0
}
