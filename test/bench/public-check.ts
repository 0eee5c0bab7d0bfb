// The public check of an envelope with large documents: twelve people at once, with the printed code and with the hash of a file, and how long
// an unknown id takes beside a known one.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { newId, SignatureId } from '#core/ids.ts'
import { deriveInstallationKeys, readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { simplePdf } from '../support/builders/pdf-builder.ts'
import { apiClient, clientWithToken } from '../support/clients/api-client.ts'
import { signer } from '../support/clients/signer.ts'
import { type DevJson, startService } from '../support/servers/running-service.ts'
import { cpuMs, residentMiB } from './process-usage.ts'
import type { BenchTable } from './run.ts'
import { UNLIMITED } from './unlimited.ts'

const DOCUMENTS = 6
const MEGABYTES = 20
const AT_ONCE = 12
const GOAL_SECONDS = 5
const GOAL_MIB = 300
const TRIES = 300

type Check = (id: SignatureId, proof: string) => Promise<{ status: number; body: { valid: boolean } }>

interface Measured {
  name: string
  seconds: number
  cpuSeconds: number
  /** Resident memory before, and the most meanwhile. */
  before: number
  most: number
}

interface Sealed {
  id: SignatureId
  /** In hex. */
  hash: string
}

export async function run(): Promise<BenchTable[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startService(dataDir, { ...UNLIMITED, SEALWRIGHT_RATE_VERIFY_PER_MINUTE: '0' })
  stack.defer(async () => void (await service.stop()))
  const database = openDatabase({ url: service.databaseUrl, pool: 1 })
  stack.defer(() => database.end({ timeout: 5 }))
  const { baseUrl, pid } = service.dev
  const sealed = await sealEnvelope(service.dev, database)
  const check: Check = (id, h) => clientWithToken(baseUrl).get(`/api/v1/verify?id=${id}&h=${h}`)
  const keyFile = path.join(dataDir, 'keys', 'installation.key')
  const keys = deriveInstallationKeys(readInstallationKey(await readFile(keyFile, 'utf8'), keyFile))
  const code = keys.verificationCode(sealed.id)
  const rows: Measured[] = []
  for (const [name, proof] of [
    ['by the code, first', code],
    ['by the code, again', code],
    ['by the hash of a file', sealed.hash],
  ] as const)
    rows.push(await measure(pid, name, () => check(sealed.id, proof)))
  return [loadTable(rows), await timeTable(check, sealed)]
}

/** One envelope with all documents, signed and sealed. */
async function sealEnvelope({ baseUrl, ...credential }: DevJson, database: Database): Promise<Sealed> {
  const client = await apiClient(baseUrl, credential)
  const documentIds: string[] = []
  for (let number = 1; number <= DOCUMENTS; number++)
    documentIds.push((await client.upload('/api/v1/documents', largeDocument(number))).body.id)
  const signers = [{ name: 'Ada', email: 'ada@example.test' }]
  const { body: envelope } = await client.post('/api/v1/envelopes', { title: 'Bench', signers, documentIds })
  const { body: sent } = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
  const person = signer(baseUrl, sent.signingTokens[0].token)
  await person.viewOpened()
  await person.sign()
  for (;;) {
    const [row] = await database<{ id: SignatureId; hash: string }[]>`
      select g.id, encode(d.sha256, 'hex') as hash
      from signatures g, sealed_documents d
      where d.stored_at is not null
      limit 1`
    if (row) return row
    await delay(100)
  }
}

/** Its size is that of one uncompressed picture. */
function largeDocument(number: number): Buffer {
  const side = Math.floor(Math.sqrt((MEGABYTES * 1_000_000) / 3))
  const data = String.fromCodePoint(64 + number).repeat(side * side * 3)
  const entries = `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8/Length ${data.length}`
  return simplePdf({
    page: '/Resources<</Font<</F1 5 0 R>>/XObject<</Im 6 0 R>>>>',
    content: 'BT /F1 12 Tf 20 100 Td (Hello) Tj ET q 90 0 0 90 100 100 cm /Im Do Q',
    objects: [`<<${entries}>>\nstream\n${data}\nendstream`],
  })
}

async function measure(pid: number, name: string, check: () => ReturnType<Check>): Promise<Measured> {
  const before = await residentMiB(pid)
  let most = before
  const end = new AbortController()
  const watching = (async () => {
    while (!end.signal.aborted) {
      most = Math.max(most, await residentMiB(pid))
      await delay(10)
    }
  })()
  const cpuBefore = await cpuMs(pid)
  const start = performance.now()
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, check))
  const seconds = (performance.now() - start) / 1000
  const cpuSeconds = ((await cpuMs(pid)) - cpuBefore) / 1000
  end.abort()
  await watching
  if (answers.some(({ status, body }) => status !== 200 || !body.valid)) throw new Error(`not confirmed: ${name}`)
  return { name, seconds, cpuSeconds, before, most }
}

function loadTable(rows: readonly Measured[]): BenchTable {
  const met = rows.every(({ seconds, before, most }) => seconds < GOAL_SECONDS && most - before < GOAL_MIB)
  return {
    title: `${AT_ONCE} public checks at once, ${DOCUMENTS} documents of ${MEGABYTES} MB, in the process of npm start`,
    columns: ['', 'seconds', 'CPU', 'MiB before', 'most MiB'],
    rows: rows.map(({ name, seconds, cpuSeconds, before, most }) => [name, seconds, cpuSeconds, before, most]),
    goal: { text: `less than ${GOAL_SECONDS} s and ${GOAL_MIB} MiB more memory`, met },
  }
}

/** Alternately, so that other load affects both. */
async function timeTable(check: Check, { id }: Sealed): Promise<BenchTable> {
  const wrong = 'f'.repeat(64)
  const times = { 'a known id, wrong hash': [] as number[], 'an unknown id': [] as number[] }
  for (let round = 0; round < TRIES; round++)
    for (const [name, measured] of Object.entries(times)) {
      const start = performance.now()
      await check(name === 'an unknown id' ? newId(SignatureId) : id, wrong)
      measured.push(performance.now() - start)
    }
  const rows = Object.entries(times).map(([name, measured]) => {
    const sorted = measured.toSorted((a, b) => a - b)
    return [name, ...[0.25, 0.5, 0.75].map((share) => sorted[Math.floor(TRIES * share)] ?? 0)]
  })
  return { title: 'How long a check takes that confirms nothing, ms', columns: ['', 'quarter', 'median', 'three quarters'], rows }
}
