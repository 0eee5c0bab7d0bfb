// An audit head for tests that do not care which.
import type { AuditHead } from '#core/pades/audit-head.ts'

export const AUDIT_HEAD: AuditHead = { envelopeId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00', seq: 17, hash: 'a1'.repeat(32) }
