// The SQL of the certificates that have sealed here, for verification and the panel.
import type { OrgId } from '#core/ids.ts'
import type { Sql, Statement } from '#core/platform/postgres/sql.ts'
import type { PinnedCertificate } from '#core/pades/certificate.ts'

export interface RecordedCertificate {
  fingerprint: string
  certificate: Buffer
  /** PEM. */
  chain: string
  origin: 'SELF_MADE' | 'IMPORTED'
}

export interface CertificateRow extends RecordedCertificate {
  /** When a version with it last became active. */
  sealingSince: Date
  /** Seals from this moment on are not proof. */
  compromisedFrom: Date | null
}

/** Pins the certificate of the key's active version, if the key is active; a known one counts as in use from now on. */
export async function pinActiveCertificate(sql: Sql, keyId: string): Promise<void> {
  await sql`
    insert into seal_certificates as c (fingerprint, certificate, chain, origin, compromised_from)
    select v.fingerprint, v.certificate, v.chain, case when v.self_made then 'SELF_MADE' else 'IMPORTED' end, k.compromised_since
    from signing_key_versions v
    join signing_keys k on k.id = v.key_id
    where v.key_id = ${keyId} and v.state = 'ACTIVE' and k.state = 'ACTIVE'
    on conflict (fingerprint) do update
      set sealing_since = sealwright_now(), compromised_from = coalesce(c.compromised_from, excluded.compromised_from)`
}

/** Seals with a certificate of the key are not proof from `since` on; null: they are. */
export async function markCertificates(sql: Sql, keyId: string, since: Date | null): Promise<void> {
  await sql`
    update seal_certificates c
    set compromised_from = ${since}
    where exists (select from signing_key_versions v where v.key_id = ${keyId} and v.fingerprint = c.fingerprint)`
}

/** Marks the certificates of an own key: only the active version's certificate can get a later time than it has: that of a replaced version may be from an earlier compromise. */
export async function markOwnCertificates(sql: Sql, keyId: string, since: Date): Promise<void> {
  await sql`
    update seal_certificates c
    set compromised_from = case when v.is_active then ${since}::timestamptz else least(c.compromised_from, ${since}::timestamptz) end
    from (
      select fingerprint, bool_or(state = 'ACTIVE') as is_active
      from signing_key_versions where key_id = ${keyId} group by fingerprint
    ) v
    where v.fingerprint = c.fingerprint`
}

/** Seals with this certificate are marked as not proof from some time on. */
export async function isMarked(sql: Sql, fingerprint: string): Promise<boolean> {
  const rows = await sql`select from seal_certificates where fingerprint = ${fingerprint} and compromised_from is not null`
  return rows.length > 0
}

/** Lists the certificates of the keys that may seal for the organisation; the last one activated first. */
export async function listVisibleCertificates(sql: Sql, orgId: OrgId): Promise<CertificateRow[]> {
  return sql<CertificateRow[]>`
    select c.* from seal_certificates c where ${isVisible(sql, orgId)} order by c.sealing_since desc, c.fingerprint`
}

export function findVisibleCertificate(sql: Sql, orgId: OrgId, fingerprint: string): ReturnType<Statement<CertificateRow>> {
  return sql<CertificateRow[]>`
    select c.* from seal_certificates c where c.fingerprint = ${fingerprint} and ${isVisible(sql, orgId)}`
}

function isVisible(sql: Sql, orgId: OrgId) {
  return sql`exists (
    select from signing_key_versions v
    join signing_keys k on k.id = v.key_id
    where v.fingerprint = c.fingerprint and (k.org_id is null or k.org_id = ${orgId}))`
}

export async function listPinnedCertificates(sql: Sql, fingerprints: readonly string[]): Promise<PinnedCertificate[]> {
  return sql<PinnedCertificate[]>`
    select fingerprint, certificate, origin, compromised_from
    from seal_certificates
    where fingerprint = any(${sql.array([...fingerprints])}::text[])`
}

/** Certificate and chain of every version that this installation made itself, oldest first. */
export async function listSelfSignedChains(sql: Sql): Promise<{ certificate: Buffer; chain: string }[]> {
  return sql<{ certificate: Buffer; chain: string }[]>`
    select certificate, chain from signing_key_versions where self_made and fingerprint is not null order by announced_at, fingerprint`
}
