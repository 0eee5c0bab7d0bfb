// An envelope's audit trail. With the hashes anyone can verify the chain: see core/audit/rules.ts.
import { z } from 'zod'
import { EnvelopeStatus } from './envelope.ts'
import { DateTime, Uuid } from './scalars.ts'

const Actor = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('credential'), clientId: z.string() }),
    z.object({ kind: z.literal('person'), personId: z.string(), email: z.string() }),
    z.object({ kind: z.literal('signer'), signerId: z.string(), name: z.string(), email: z.string() }),
    z.object({ kind: z.literal('system') }),
  ])
  .meta({ id: 'AuditActor', description: 'Who performed the action.' })

const AuditEventResponse = z
  .object({
    seq: z.int().describe('Starts at 1, without gaps.'),
    at: DateTime.describe('Database time, in UTC, with microseconds.'),
    actor: Actor,
    action: z.string(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
    hash: z.string().describe('SHA-256 of the previous hash and this entry, lower-case hex.'),
  })
  .meta({ id: 'AuditEventResponse' })

export const AuditTrailResponse = z
  .object({
    envelopeId: Uuid,
    title: z.string(),
    status: EnvelopeStatus,
    chain: z.object({
      valid: z.boolean().describe('True if no entry was changed, moved or removed.'),
      rows: z.int(),
      headHash: z.string().describe('The hash of the last entry, lower-case hex.'),
      firstBadSeq: z.int().optional().describe('The first entry that was changed, moved or removed.'),
    }),
    events: z.array(AuditEventResponse).describe('Oldest first.'),
  })
  .meta({ id: 'AuditTrailResponse' })
export type AuditTrailResponse = z.output<typeof AuditTrailResponse>
