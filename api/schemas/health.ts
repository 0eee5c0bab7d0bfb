// The response to probes.
import { z } from 'zod'

export const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

const Check = z.object({ ok: z.boolean() })

export const Readiness = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    checks: z
      .record(z.string(), Check)
      .meta({ examples: [{ database: { ok: true }, changes: { ok: true }, storage: { ok: true }, uploads: { ok: true } }] }),
  })
  .meta({
    id: 'Readiness',
    description: '`degraded`: ready, but some checks fail. The metrics port gives the reasons.',
  })
