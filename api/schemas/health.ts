// What probes are told.
import { z } from 'zod'

export const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

const Check = z.object({ ok: z.boolean(), error: z.string().optional() })

export const Readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z.record(z.string(), Check).meta({ examples: [{ database: { ok: true }, storage: { ok: true } }] }),
  })
  .meta({ id: 'Readiness', description: 'Each check by its name, so that a red one says what is missing.' })
