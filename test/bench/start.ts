// The performance of `npm start` on a warm clone: time until it accepts requests, resident memory of the whole tree without Postgres, and
// time from the last signature to the sealed copy.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type RunningService, startService } from '../support/servers/running-service.ts'
import { signer } from '../support/clients/signer.ts'
import type { BenchTable } from './run.ts'

const STARTS = 5
const SEALS = 15
const GOAL_START_MS = 5_000
const GOAL_MEBIBYTES = 350
const GOAL_SEAL_MS = 300
/** The benchmark polls the signed copy every few milliseconds, unlike a signer. */
const WITHOUT_CEREMONY_RATES = {
  SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE: '0',
  SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '0',
}

export async function run(): Promise<BenchTable[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  const starts: { readyMs: number; treeMiB: number }[] = []
  let seals: number[] = []
  try {
    await (await startService(dataDir)).stop() // creates the cluster and the keys
    for (let start = 0; start < STARTS; start++) {
      const startedAt = performance.now()
      const service = await startService(dataDir, WITHOUT_CEREMONY_RATES)
      const readyMs = performance.now() - startedAt
      await delay(5_000)
      starts.push({ readyMs, treeMiB: await treeMiB(service.dev.pid) })
      if (start === STARTS - 1) seals = await sealLatencies(service)
      await service.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  return [startTable(starts), sealTable(seals)]
}

/** The service and npm above it; Postgres is its child and not counted. */
async function treeMiB(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,rss='])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const [, parent = 0, rss = 0] = rows.find(([each]) => each === pid) ?? []
  const [, , npm = 0] = rows.find(([each]) => each === parent) ?? []
  return (rss + npm) / 1024
}

async function sealLatencies(service: RunningService): Promise<number[]> {
  const client = await apiClient(service.dev.baseUrl, service.dev)
  const pdf = await readFile(pdfFixture('reportlab.pdf'))
  const latencies: number[] = []
  for (let seal = 0; seal < SEALS; seal++) latencies.push(await sealLatency(service, client, pdf))
  return latencies
}

/** From the response to the last signature to `signedDocumentsReady`, by polling. */
async function sealLatency(service: RunningService, client: ApiClient, pdf: Buffer): Promise<number> {
  const { body: document } = await client.upload('/api/v1/documents', pdf)
  const signers = [{ name: 'Ada', email: 'ada@example.test' }]
  const { body: envelope } = await client.post('/api/v1/envelopes', { title: 'Bench', signers, documentIds: [document.id] })
  const { body: sent } = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
  const person = signer(service.dev.baseUrl, sent.signingTokens[0].token)
  await person.viewOpened()
  const startedAt = performance.now()
  const signing = person.sign()
  while (!(await person.signedCopy()).body.signedDocumentsReady) await delay(5)
  const elapsed = performance.now() - startedAt
  await signing
  return elapsed
}

function startTable(starts: { readyMs: number; treeMiB: number }[]): BenchTable {
  const ready = median(starts.map(({ readyMs }) => readyMs))
  const tree = median(starts.map(({ treeMiB: each }) => each))
  return {
    title: 'npm start on a warm clone, until it takes requests; resident memory of npm and the service, idle for 5 s',
    columns: ['start', 'ready, ms', 'resident, MiB'],
    rows: starts.map(({ readyMs, treeMiB: each }, index) => [String(index + 1), readyMs, each]),
    goal: {
      text: `median ready ${ready.toFixed(0)} ms < ${GOAL_START_MS} ms, median resident ${tree.toFixed(0)} MiB < ${GOAL_MEBIBYTES} MiB`,
      met: ready < GOAL_START_MS && tree < GOAL_MEBIBYTES,
    },
  }
}

function sealTable(seals: number[]): BenchTable {
  const sorted = seals.toSorted((left, right) => left - right)
  const p50 = median(seals)
  return {
    title: 'From the call of the last signature to signedDocumentsReady, one-page file; drawing the seal included',
    columns: ['', 'ms'],
    rows: [
      ['fastest', sorted[0] ?? 0],
      ['median', p50],
      ['slowest', sorted.at(-1) ?? 0],
    ],
    goal: { text: `median ${p50.toFixed(0)} ms < ${GOAL_SEAL_MS} ms`, met: p50 < GOAL_SEAL_MS },
  }
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
