// The cost of a 50 MB upload: the service's resident memory, including threads, and the longest wait of a concurrent request.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accessToken } from '../support/clients/api-client.ts'
import { type RunningService, startService } from '../support/servers/running-service.ts'
import type { BenchTable } from './run.ts'
import { buildSamplePdf } from './sample-pdf.ts'

const curl = promisify(execFile)
const MEBIBYTE = 1024 * 1024
const GOAL_MEBIBYTES = 16
const GOAL_WAIT_MS = 50
const ROUNDS = 5

export async function run(): Promise<BenchTable[]> {
  const pdf = await buildSamplePdf({ pages: 12, bytes: 50_000_000, linksPerPage: 2 })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  const service = await startService(dataDir)
  try {
    const file = path.join(dataDir, 'scan.pdf')
    await writeFile(file, pdf)
    const token = await accessToken(service.dev.baseUrl, service.dev)
    for (let warmUp = 0; warmUp < 2; warmUp++) await upload(service, token, file)
    await delay(2_000)
    const rounds = []
    for (let round = 1; round <= ROUNDS; round++) rounds.push(await measure(service, () => upload(service, token, file)))
    return [table(pdf.length, rounds)]
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Round {
  beforeMiB: number
  peakMiB: number
  longestWaitMs: number
  idleWaitMs: number
}

/** By curl, so that sending does not delay the concurrent requests, which run in this process. */
async function upload({ dev }: RunningService, token: string, file: string): Promise<void> {
  const form = ['-F', `file=@${file};type=application/pdf`]
  const { stdout } = await curl('curl', [
    '-sS',
    '-H',
    `Authorization: Bearer ${token}`,
    ...form,
    `${dev.baseUrl}/api/v1/documents`,
  ])
  if (!stdout.includes('"sizeBytes"')) throw new Error(`The upload was refused: ${stdout}`)
}

async function measure(service: RunningService, work: () => Promise<void>): Promise<Round> {
  const beforeMiB = await residentMiB(service.dev.pid)
  const idleWaitMs = await longestWait(service, delay(1_000))
  let peakMiB = beforeMiB
  const done = new AbortController()
  const sampling = (async () => {
    while (!done.signal.aborted) {
      peakMiB = Math.max(peakMiB, await residentMiB(service.dev.pid))
      await delay(5)
    }
  })()
  const working = work()
  const longestWaitMs = await longestWait(service, working)
  await working
  done.abort()
  await sampling
  await delay(1_000)
  return { beforeMiB, peakMiB, longestWaitMs, idleWaitMs }
}

/** The slowest of consecutive small requests until `until` settles. */
async function longestWait(service: RunningService, until: Promise<unknown>): Promise<number> {
  const done = new AbortController()
  void until.then(() => done.abort())
  let longest = 0
  while (!done.signal.aborted) {
    const startedAt = performance.now()
    await (await fetch(`${service.dev.baseUrl}/livez`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - startedAt)
    await delay(2)
  }
  return longest
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / MEBIBYTE
}

function table(bytes: number, rounds: Round[]): BenchTable {
  const grown = median(rounds.map(({ beforeMiB, peakMiB }) => peakMiB - beforeMiB))
  const wait = median(rounds.map(({ longestWaitMs }) => longestWaitMs))
  return {
    title: `Upload of ${(bytes / 1e6).toFixed(0)} MB to the running service (baseline: the same service idle)`,
    columns: ['round', 'resident before, MiB', 'peak, MiB', 'grown, MiB', 'longest wait, ms', 'longest wait idle, ms'],
    rows: rounds.map(({ beforeMiB, peakMiB, longestWaitMs, idleWaitMs }, index) => [
      String(index + 1),
      beforeMiB,
      peakMiB,
      peakMiB - beforeMiB,
      longestWaitMs,
      idleWaitMs,
    ]),
    goal: {
      text: `median growth ${grown.toFixed(1)} MiB < ${GOAL_MEBIBYTES} MiB, median longest wait ${wait.toFixed(1)} ms < ${GOAL_WAIT_MS} ms`,
      met: grown < GOAL_MEBIBYTES && wait < GOAL_WAIT_MS,
    },
  }
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
