import { getAuditReport } from '#core/audit-report/get-audit-report.ts'
import { getAuditTrail } from '#core/audit-report/get-audit-trail.ts'
import { definePanelFileRoute } from '../../../http/define-route.ts'
import { toAuditTrailResponse } from '../../../responses/audit.ts'
import { AuditTrailResponse } from '../../../schemas/audit.ts'
import { EnvelopePath } from '../../../schemas/envelope.ts'

export const getAuditTrailRoute = definePanelFileRoute({
  operationId: 'getAuditTrail',
  summary: 'Get and verify the audit trail of an envelope, as JSON or as a PDF report, by Accept header',
  description:
    'The PDF is the sealed report, always the same file, from a moment after the envelope has ended until the retention of its documents ends. At any other time it is drawn on request, without a seal, and says so on every page.',
  access: 'member',
  method: 'get',
  path: '/settings/api/envelopes/:id/audit',
  params: EnvelopePath,
  success: 200,
  response: AuditTrailResponse,
  produces: ['application/json', 'application/pdf'],
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: async ({ core, reports, caller, params, accepted }) => {
    if (accepted !== 'application/pdf') return toAuditTrailResponse(await getAuditTrail(core, caller, params.id))
    const { title, pdf } = await getAuditReport(core, reports, caller, params.id)
    return { kind: 'file', fileName: `${title}-audit.pdf`, contentType: accepted, bytes: pdf }
  },
})
