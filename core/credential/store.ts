// The SQL of credentials, their secrets and the keys that sign access tokens.
import type { CredentialId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'

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

/** Whose client id it is; the one look-up before the organisation is known. */
export async function findCredentialOwner(
  sql: Sql,
  clientId: string,
): Promise<{ orgId: OrgId; credentialId: CredentialId } | undefined> {
  const [row] = await sql<{ orgId: OrgId; credentialId: CredentialId }[]>`
    select org_id, credential_id from find_credential_owner(${clientId})`
  return row
}

/** Marks the credential as used now. Undefined when it has been revoked or the secret is not one of its live ones. */
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

/** Any constant: whoever makes a token key holds this lock until the transaction ends, so that two replicas make one. */
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
