// The audit trail of an envelope, as answers hold it.
import type { AuditTrail } from '#core/audit-report/get-audit-trail.ts'
import type { AuditTrailResponse } from '../schemas/audit.ts'

export function toAuditTrailResponse({ envelope, chain, events }: AuditTrail): AuditTrailResponse {
  return {
    envelopeId: envelope.id,
    title: envelope.title,
    status: envelope.status,
    chain,
    events: events.map(({ seq, at, actor, action, address, userAgent, detail, hash }) => {
      return { seq, at, actor, action, address, userAgent, detail, hash: hash.toString('hex') }
    }),
  }
}
