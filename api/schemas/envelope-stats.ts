// The counters of getEnvelopeStats. Spec, "Envelope statistics".
import { z } from 'zod'
import { Int64 } from './scalars.ts'

export const EnvelopeStatsResponse = z
  .object({
    draft: Int64,
    sent: Int64,
    inProgress: Int64,
    completed: Int64,
    cancelled: Int64,
    expired: Int64,
    total: Int64,
  })
  .meta({ id: 'EnvelopeStatsResponse', description: 'How many of the readable envelopes stand where.' })
export type EnvelopeStatsResponse = z.output<typeof EnvelopeStatsResponse>
