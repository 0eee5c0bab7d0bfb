// The SQL of the certificates that have sealed here, for verification and the panel. They belong to the installation: every organisation
// sees the same.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { PinnedCertificate } from '#core/pades/certificate.ts'

export interface RecordedSigningKey {
  fingerprint: string
  certificate: Buffer
  /** PEM. */
  chain: string
  origin: 'SELF_MADE' | 'IMPORTED'
}

/** Pins a certificate and makes it the one in use. */
export async function upsertSigningKey(sql: Sql, key: RecordedSigningKey): Promise<void> {
  await sql`
    insert into signing_keys (fingerprint, certificate, chain, origin)
    values (${key.fingerprint}, ${key.certificate}, ${key.chain}, ${key.origin})
    on conflict (fingerprint) do update set sealing_since = sealwright_now()`
}

export interface SigningKeyRow extends RecordedSigningKey {
  /** When it was last put into use. */
  sealingSince: Date
  /** Seals from this moment on are not proof. */
  compromisedFrom: Date | null
}

/** The key in use comes first. */
export async function listSigningKeyRows(sql: Sql): Promise<SigningKeyRow[]> {
  return sql<SigningKeyRow[]>`
    select fingerprint, certificate, chain, origin, sealing_since, compromised_from
    from signing_keys
    order by sealing_since desc, fingerprint`
}

export async function findSigningKeyRow(sql: Sql, fingerprint: string): Promise<SigningKeyRow | undefined> {
  const [row] = await sql<SigningKeyRow[]>`
    select fingerprint, certificate, chain, origin, sealing_since, compromised_from from signing_keys where fingerprint = ${fingerprint}`
  return row
}

export async function listPinnedCertificates(sql: Sql, fingerprints: readonly string[]): Promise<PinnedCertificate[]> {
  return sql<PinnedCertificate[]>`
    select fingerprint, certificate, origin, compromised_from
    from signing_keys
    where fingerprint = any(${sql.array([...fingerprints])}::text[])`
}
