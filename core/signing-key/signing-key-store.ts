// The SQL of the certificates that have sealed here, as the panel shows them. They belong to the installation: every organisation sees the same.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { PinnedCertificate } from '#core/pades/certificate.ts'

export interface RecordedSigningKey {
  fingerprint: string
  certificate: Buffer
  /** PEM. */
  chain: string
  origin: 'SELF_MADE' | 'IMPORTED'
}

/** Makes a certificate one that verification pins to, and the one that seals from now on. */
export async function upsertSigningKey(sql: Sql, key: RecordedSigningKey): Promise<void> {
  await sql`
    insert into signing_keys (fingerprint, certificate, chain, origin)
    values (${key.fingerprint}, ${key.certificate}, ${key.chain}, ${key.origin})
    on conflict (fingerprint) do update set sealing_since = sealwright_now()`
}

export interface SigningKeyRow extends RecordedSigningKey {
  /** When it last began to seal. */
  sealingSince: Date
  /** What it sealed from then on proves nothing. */
  compromisedFrom: Date | null
}

/** The one that began to seal last comes first. */
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
