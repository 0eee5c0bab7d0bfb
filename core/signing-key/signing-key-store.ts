// The SQL of the certificates that have sealed here, as the panel shows them. They belong to the installation: every organisation sees the same.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { RecordedSigningKey } from '#core/seal/store.ts'

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
