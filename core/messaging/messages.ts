// What travels over the notifier: ids, checked by whoever takes them, because other hands can reach a subject.
import { z } from 'zod'
import { EnvelopeId, OrgId } from '#core/ids.ts'

export const SealRequested = z.object({ orgId: OrgId, envelopeId: EnvelopeId })
export type SealRequested = z.infer<typeof SealRequested>

export const MailRequested = z.object({ orgId: OrgId, mailId: z.guid() })
export type MailRequested = z.infer<typeof MailRequested>
