// The whole service under load, as npm start runs it on real disks: reads at a steady rate from a separate process, while envelopes go
// through the ceremony from upload to last signature. Both arrive by the clock, independent of earlier responses, so waiting counts.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { accessToken } from '../support/clients/api-client.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { startService } from '../support/servers/running-service.ts'
import { benchDatabase } from './bench-database.ts'
import { type Arrivals, arrive } from './arrivals.ts'
import { ceremonyLoad } from './ceremony-load.ts'
import type { ReadLoad } from './read-load.ts'
import type { BenchTable } from './run.ts'

const READS_PER_SECOND = 500
const ENVELOPES_PER_SECOND = 20
const SECONDS = 20
const WARM_UP_SECONDS = 5
/** Longer, because a ceremony runs much more code: it costs 50 % more when cold, and 25 % more after the first hundreds. */
const CEREMONY_WARM_UP_SECONDS = 60
const GOAL_P99_MS = 100
const UNLIMITED = {
  SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '1000000',
  SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '1000000',
  SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '1000000',
  SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY: '0',
  SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '0',
}

export async function run(): Promise<BenchTable[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = stack.use(await benchDatabase({ organisations: 50, envelopes: 100_000 }, { durable: true }))
  const service = await startService(dataDir, { ...UNLIMITED, SEALWRIGHT_DATABASE_URL: database.url })
  stack.defer(async () => void (await service.stop()))
  const { baseUrl } = service.dev
  const token = await accessToken(baseUrl, database)
  const load = { url: baseUrl, token, envelopeIds: database.envelopeIds, perSecond: READS_PER_SECOND }
  await readsFrom({ ...load, seconds: WARM_UP_SECONDS })
  const alone = await readsFrom({ ...load, seconds: SECONDS })
  const ceremony = ceremonyLoad(baseUrl, await accessToken(baseUrl, service.dev), await readFile(pdfFixture('reportlab.pdf')))
  await arrive({ perSecond: ENVELOPES_PER_SECOND, seconds: CEREMONY_WARM_UP_SECONDS, work: ceremony })
  const busyBefore = loadavg()[0] ?? 0
  const [beside, ceremonyTimes] = await Promise.all([
    readsFrom({ ...load, seconds: SECONDS }),
    arrive({ perSecond: ENVELOPES_PER_SECOND, seconds: SECONDS, work: ceremony }),
  ])
  return [table(alone, beside, ceremonyTimes, busyBefore)]
}

async function readsFrom(load: ReadLoad): Promise<Arrivals> {
  const child = fork(new URL('read-load.ts', import.meta.url))
  child.send(load)
  const [arrivals]: Arrivals[] = await once(child, 'message')
  return arrivals!
}

function table(alone: Arrivals, beside: Arrivals, ceremony: Arrivals, busyBefore: number): BenchTable {
  const row = (name: string, { perSecond, p50, p99, max, failed }: Arrivals) => [name, perSecond, p50, p99, max, String(failed)]
  // A running ceremony at the end of the time counts as late: it takes a second or two with its seal.
  const signed = ceremony.perSecond >= ENVELOPES_PER_SECOND * 0.95 && ceremony.failed === 0
  const held = beside.perSecond >= READS_PER_SECOND * 0.98 && beside.failed === 0 && signed
  return {
    title: `${READS_PER_SECOND} reads a second among 100,000 envelopes beside ${ENVELOPES_PER_SECOND} envelopes a second, ms from the moment due\n(${cpus().length} x ${cpus()[0]?.model.trim()}, load average before ${busyBefore.toFixed(1)}; reads: 8 of 10 getEnvelope, 1 listEnvelopes, 1 stats)`,
    columns: ['what', 'a second', 'p50', 'p99', 'max', 'failed'],
    rows: [
      row('reads alone (baseline)', alone),
      row('reads beside ceremonies', beside),
      row('ceremonies, upload to signature', ceremony),
    ],
    goal: {
      text: `reads beside ceremonies p99 ${beside.p99.toFixed(1)} ms < ${GOAL_P99_MS} ms at full rate`,
      met: held && beside.p99 < GOAL_P99_MS,
    },
  }
}
