// The SQL of credentials, their secrets and the keys that sign access tokens.
import type { CredentialId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Permission } from '#core/account/workspace/rules.ts'

export async function insertCredential(
  sql: Sql,
  orgId: OrgId,
  credential: { id: CredentialId; clientId: string; name: string },
): Promise<void> {
  await sql`
    insert into credentials (org_id, id, client_id, name)
    values (${orgId}, ${credential.id}, ${credential.clientId}, ${credential.name})`
}

export async function insertSecret(
  sql: Sql,
  orgId: OrgId,
  credentialId: CredentialId,
  secret: { hash: Buffer; lastFour: string },
): Promise<void> {
  await sql`
    insert into credential_secrets (org_id, credential_id, secret_hash, last_four)
    values (${orgId}, ${credentialId}, ${secret.hash}, ${secret.lastFour})`
}

export interface CredentialOwner {
  orgId: OrgId
  credentialId: CredentialId
}

/** The credential of a client id; the only look-up before the organisation is known. */
export async function findCredentialOwner(sql: Sql, clientId: string): Promise<CredentialOwner | undefined> {
  const [row] = await sql<CredentialOwner[]>`
    select org_id, credential_id from find_credential_owner(${clientId})`
  return row
}

/** Marks the credential as used now. Undefined when it is revoked or the secret is not one of its valid ones. */
export async function useCredential(
  sql: Sql,
  orgId: OrgId,
  id: CredentialId,
  secretHash: Buffer,
): Promise<{ id: CredentialId } | undefined> {
  const [row] = await sql<{ id: CredentialId }[]>`
    update credentials
    set last_used_at = sealwright_now()
    where org_id = ${orgId} and id = ${id} and revoked_at is null and exists (
      select from credential_secrets s
      where s.org_id = ${orgId} and s.credential_id = ${id} and s.secret_hash = ${secretHash}
        and (s.expires_at is null or s.expires_at > sealwright_now()))
    returning id`
  return row
}

export interface CredentialRow {
  id: CredentialId
  clientId: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Last four characters of the newest secret; null for a client of an external issuer, which has none here. */
  secretLastFour: string | null
  /** The issuer of its tokens, when that is not this service. */
  issuer: string | null
  /** The end of the previous secret's validity; null when there is none, or no secret is valid any more. */
  previousSecretExpiresAt: Date | null
  /** Grants, ordered by the workspaces' names. */
  workspaces: { workspaceId: WorkspaceId; permissions: Permission[] }[]
}

/** The organisation's credentials, or the one with this id; newest first, including revoked ones. */
export async function selectCredentials(sql: Sql, orgId: OrgId, id?: CredentialId): Promise<CredentialRow[]> {
  return sql<CredentialRow[]>`
    select c.id, c.client_id, c.name, c.created_at, c.last_used_at, c.revoked_at, c.issuer,
      (select s.last_four from credential_secrets s
       where s.org_id = c.org_id and s.credential_id = c.id and s.expires_at is null) as secret_last_four,
      (select max(s.expires_at) from credential_secrets s
       where s.org_id = c.org_id and s.credential_id = c.id and s.expires_at > sealwright_now() and c.revoked_at is null)
       as previous_secret_expires_at,
      (select coalesce(jsonb_agg(jsonb_build_object('workspaceId', g.workspace_id, 'permissions', g.permissions)
         order by w.is_general desc, lower(w.name), w.id), '[]')
       from credential_grants g
       join workspaces w on w.org_id = g.org_id and w.id = g.workspace_id
       where g.org_id = c.org_id and g.credential_id = c.id) as workspaces
    from credentials c
    where c.org_id = ${orgId} ${id ? sql`and c.id = ${id}` : sql``}
    order by c.created_at desc, c.id`
}

/** Locks the row until the transaction ends; its secrets and roles change only under this lock. */
export async function lockCredential(sql: Sql, orgId: OrgId, id: CredentialId): Promise<{ revokedAt: Date | null } | undefined> {
  const [row] = await sql<{ revokedAt: Date | null }[]>`
    select revoked_at from credentials where org_id = ${orgId} and id = ${id} for no key update`
  return row
}

export async function renameCredential(sql: Sql, orgId: OrgId, id: CredentialId, name: string): Promise<void> {
  await sql`update credentials set name = ${name} where org_id = ${orgId} and id = ${id}`
}

export async function markRevoked(sql: Sql, orgId: OrgId, id: CredentialId): Promise<void> {
  await sql`update credentials set revoked_at = sealwright_now() where org_id = ${orgId} and id = ${id} and revoked_at is null`
}

/** The owner of a credential, by either of its ids; only the system role sees every organisation. */
export async function findOwner(sql: Sql, wanted: string): Promise<CredentialOwner | undefined> {
  const [row] = await sql<CredentialOwner[]>`
    select org_id, id as credential_id
    from credentials
    where id::text = ${wanted} or (client_id = ${wanted} and issuer is null)`
  return row
}

/** The end of the previous secret's validity; undefined when none is valid. */
export async function findPreviousSecretEnd(sql: Sql, orgId: OrgId, id: CredentialId): Promise<Date | undefined> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    select expires_at
    from credential_secrets
    where org_id = ${orgId} and credential_id = ${id} and expires_at > sealwright_now()
    order by expires_at desc
    limit 1`
  return row?.expiresAt
}

/** Lets the current secret expire in `seconds`. */
export async function endCurrentSecret(sql: Sql, orgId: OrgId, id: CredentialId, seconds: number): Promise<void> {
  await sql`
    update credential_secrets
    set expires_at = sealwright_now() + make_interval(secs => ${seconds})
    where org_id = ${orgId} and credential_id = ${id} and expires_at is null`
}

/** Deletes every replaced secret. False when none of them was still valid. */
export async function deletePreviousSecrets(sql: Sql, orgId: OrgId, id: CredentialId): Promise<boolean> {
  const rows = await sql<{ wasValid: boolean }[]>`
    delete from credential_secrets
    where org_id = ${orgId} and credential_id = ${id} and expires_at is not null
    returning expires_at > sealwright_now() as was_valid`
  return rows.some(({ wasValid }) => wasValid)
}

export interface TokenKeyRow {
  kid: string
  publicJwk: Record<string, unknown>
  privateBox: Buffer
  ageSeconds: number
}

/** Newest first. */
export async function listTokenKeys(sql: Sql): Promise<TokenKeyRow[]> {
  return sql<TokenKeyRow[]>`
    select kid, public_jwk, private_box, extract(epoch from sealwright_now() - created_at)::int as age_seconds
    from token_keys
    order by created_at desc, kid`
}

/** Any constant: the advisory lock under which a token key is created, so that two replicas create one. */
const TOKEN_KEY_LOCK = 7_325_002

export async function lockTokenKeys(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TOKEN_KEY_LOCK})`
}

export async function insertTokenKey(sql: Sql, key: { kid: string; publicJwk: object; privateBox: Buffer }): Promise<void> {
  await sql`
    insert into token_keys (kid, public_jwk, private_box)
    values (${key.kid}, ${sql.json({ ...key.publicJwk })}, ${key.privateBox})`
}

export async function deleteTokenKeysOlderThan(sql: Sql, ageSeconds: number): Promise<void> {
  await sql`delete from token_keys where created_at < sealwright_now() - make_interval(secs => ${ageSeconds})`
}
