// The audit trail's word inside the sealed file: which row ended the signing, and its hash, which covers every row before it. It stands in /Reason of
// the signature dictionary, where every PDF reader shows it (ISO 32000-2, 12.8.1) and where the seal covers it. Whoever keeps a sealed copy
// can thus hold a trail against it, whatever has become of the database.

export interface AuditHead {
  envelopeId: string
  /** In the envelope's chain. */
  seq: number
  /** SHA-256 of the row, lower-case hex. */
  hash: string
}

const WRITTEN = /^Audit trail of envelope ([0-9a-f-]{36}) up to row (\d{1,9}), SHA-256 ([0-9a-f]{64})$/

/** One line for people and programs alike. */
export function writeAuditHead({ envelopeId, seq, hash }: AuditHead): string {
  return `Audit trail of envelope ${envelopeId} up to row ${seq}, SHA-256 ${hash}`
}

/** What writeAuditHead wrote; null for anything else, such as the reason of somebody else's signature. */
export function readAuditHead(text: string | null): AuditHead | null {
  const [, envelopeId, seq, hash] = WRITTEN.exec(text ?? '') ?? []
  return envelopeId && seq && hash ? { envelopeId, seq: Number(seq), hash } : null
}
