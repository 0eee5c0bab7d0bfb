// What travels over NATS: ids only, checked by the consumer, because other programs may publish on a subject.
import { z } from 'zod'
import { OrgId } from '#core/ids.ts'

/** A job that has become due. */
export const JobRequested = z.object({ orgId: OrgId, id: z.guid() })
