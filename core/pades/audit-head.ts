// The audit head in the sealed file: the audit row that completed the envelope, and its hash, which covers every earlier row. It is in
// /Reason of the signature dictionary (ISO 32000-2, 12.8.1), which PDF readers show and the seal signs, so a sealed copy can verify a trail without the database.

export interface AuditHead {
  envelopeId: string
  /** Position in the envelope's chain. */
  seq: number
  /** SHA-256 of the row, lower-case hex. */
  hash: string
}

const WRITTEN = /^Audit trail of envelope ([0-9a-f-]{36}) up to row (\d{1,9}), SHA-256 ([0-9a-f]{64})$/

/** Writes the head as one line, readable for people and programs. */
export function writeAuditHead({ envelopeId, seq, hash }: AuditHead): string {
  return `Audit trail of envelope ${envelopeId} up to row ${seq}, SHA-256 ${hash}`
}

/** Reads what writeAuditHead wrote; null for anything else, such as the reason of another signature. */
export function readAuditHead(text: string | null): AuditHead | null {
  const [, envelopeId, seq, hash] = WRITTEN.exec(text ?? '') ?? []
  return envelopeId && seq && hash ? { envelopeId, seq: Number(seq), hash } : null
}
