// From the last signature to the stored seal on an idle system, through the API, the relay, NATS and the object store. Both ends are commit
// times of one Postgres (track_commit_timestamp), so no two clocks are compared.
import { setTimeout as delay } from 'node:timers/promises'
import { type SignedEnvelope, signOne } from './pipeline-fill.ts'
import type { PipelineSystem } from './pipeline-system.ts'

/** The previous envelope's email and its messages are done by then. */
const PAUSE_MS = 150

/** Milliseconds for each of `count` envelopes, one after the other. Needs all tiers. */
export async function sealLatencies(system: PipelineSystem, pdf: Buffer, count: number): Promise<number[]> {
  const signed: SignedEnvelope[] = []
  for (let index = 0; index < count; index++) {
    signed.push(await signOne(system, pdf))
    await delay(PAUSE_MS)
  }
  const rows = await system.owner<{ ms: number }[]>`
    select 1000 * extract(epoch from pg_xact_commit_timestamp(d.xmin) - pg_xact_commit_timestamp(s.xmin))::float8 as ms
    from signatures s
    join sealed_documents d on d.org_id = s.org_id and d.envelope_id = s.envelope_id
    where d.stored_at is not null and s.envelope_id = any(${signed.map(({ envelopeId }) => envelopeId)}::uuid[])`
  if (rows.length < count) throw new Error(`Only ${rows.length} of ${count} envelopes were sealed.`)
  return rows.map(({ ms }) => ms)
}
