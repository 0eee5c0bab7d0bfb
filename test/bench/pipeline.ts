// The pipeline from the last signature to the stored seal, each tier as a separate process on real Postgres, NATS and S3 with durable
// disks: latency on an idle system, seals per second and their CPU by process, a long queue, the outbox relay, and the idle cost.
import { describeMoment } from './machine.ts'
import { sealBare } from './pipeline-bare.ts'
import { drainQueue, SEAL_ROLE } from './pipeline-drain.ts'
import { fillQueue, signOne, uploadOriginals } from './pipeline-fill.ts'
import { watchIdle } from './pipeline-idle.ts'
import { sealLatencies } from './pipeline-latency.ts'
import { relayRows } from './pipeline-relay.ts'
import { type PipelineSystem, startPipelineSystem } from './pipeline-system.ts'
import { idleTable, latencyTable, queueTable, relayTable, sustainedTable } from './pipeline-tables.ts'
import { SEAL_WORKER } from './pipeline-usage.ts'
import { verifySample } from './pipeline-verify.ts'
import type { BenchTable } from './run.ts'
import { buildSamplePdf } from './sample-pdf.ts'

/** Fewer for a quick run: SEALWRIGHT_BENCH_SHARE=0.1. */
const SHARE = Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1)
const share = (count: number) => Math.max(1, Math.round(count * SHARE))
const WARM_UP = 30
const LATENCIES = share(200)
const BARE_SEALS = share(300)
const RELAYED = share(40) * 500
const SUSTAINED_SEALS = share(3_000)
const QUEUED_SEALS = share(10_000)
const ORIGINALS = share(200)
const VERIFIED = 100
const IDLE_SECONDS = 20
const SMALL = { pages: 1, bytes: 10_000, linksPerPage: 0 }
const USUAL = { pages: 4, bytes: 100_000, linksPerPage: 0 }
export async function run(): Promise<BenchTable[]> {
  const tables: BenchTable[] = []
  await using system = await startPipelineSystem()
  await system.start('API', ['api/main.ts'])
  await system.start('relay', ['workers/main.ts', 'relay'])
  const mail = await system.start('mail worker', ['workers/main.ts', 'mail'])
  await system.start('controller', ['controller/main.ts'])
  tables.push(...(await latencyAndIdle(system)))
  const template = await signOne(system, await buildSamplePdf(USUAL))
  tables.push(relayTable(await relayRows(system, RELAYED)))
  const originals = await uploadOriginals(system, ORIGINALS, () => buildSamplePdf(USUAL))
  const bare = await sealBare(system, template, BARE_SEALS)
  const drain = async (seals: number, second: boolean) => {
    await fillQueue(system, template, originals, seals)
    const about = await describeMoment(system.owner)
    return { about, ...(await drainQueue(system, { second })) }
  }
  tables.push(sustainedTable(await drain(SUSTAINED_SEALS, false), bare, 'every copy is mailed (kept) at once'))
  tables.push(queueTable(await drain(QUEUED_SEALS, true)))
  await mail.stop()
  tables.push(sustainedTable(await drain(SUSTAINED_SEALS, false), bare, 'the mails of the copies wait'))
  await verifySample(system, VERIFIED)
  return tables
}

async function latencyAndIdle(system: PipelineSystem): Promise<BenchTable[]> {
  const worker = await system.start(SEAL_WORKER, SEAL_ROLE)
  const pdf = await buildSamplePdf(SMALL)
  await sealLatencies(system, pdf, WARM_UP)
  const template = await signOne(system, pdf)
  const about = await describeMoment(system.owner)
  const times = await sealLatencies(system, pdf, LATENCIES)
  const bare = await sealBare(system, template, BARE_SEALS)
  const idle = await watchIdle(system, IDLE_SECONDS)
  await worker.stop()
  return [latencyTable(times, bare, about), idleTable(idle, IDLE_SECONDS)]
}
