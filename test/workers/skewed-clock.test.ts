// The whole flow in a service whose process clock is hours off, on a database with the right clock: nothing is affected.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { apiClient, type ApiClient, clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aDraft, aSentEnvelope } from '../support/builders/envelopes.ts'
import type { DevJson } from '../support/servers/running-service.ts'
import { signer } from '../support/clients/signer.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const run = promisify(execFile)
const READY_WITHIN_MS = 60_000
const NEAR_MS = 120_000

interface SkewedService extends AsyncDisposable {
  dev: DevJson
  dataDir: string
  database: TestDatabase
}

async function startSkewed(hours: number): Promise<SkewedService> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-skewed-'))
  const port = String(await freePort())
  const env = {
    ...process.env,
    SKEWED_CLOCK_HOURS: String(hours),
    SEALWRIGHT_DATA_DIR: dataDir,
    SEALWRIGHT_DATABASE_URL: database.url,
    SEALWRIGHT_PORT: port,
    SEALWRIGHT_METRICS_PORT: '0',
  }
  const options = ['--import', path.resolve('test/support/faults/skewed-clock.ts'), 'hack/embedded/main.ts']
  const child = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error('The skewed service was not ready in time.')), READY_WITHIN_MS)
    child.stdout.on('data', (text: Buffer) => {
      if (!text.includes('Sealwright is ready')) return
      clearTimeout(patience)
      resolve()
    })
    void exited.then(() => reject(new Error('The skewed service ended before it was ready.')))
  })
  return {
    dev: JSON.parse(await readFile(path.join(dataDir, 'dev.json'), 'utf8')),
    dataDir,
    database,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await database[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const isNear = (time: string | number | Date) => Math.abs(new Date(time).getTime() - Date.now()) < NEAR_MS
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const HOURS = [7, -7]
let services: SkewedService[] = []

beforeAll(async () => {
  services = await Promise.all(HOURS.map(startSkewed))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
})

describe.each(HOURS.map((hours, index) => ({ hours, index })))(
  'a process clock that is off by $hours hours',
  ({ hours, index }) => {
    let service: SkewedService
    let client: ApiClient
    let token: string
    let envelopeId: string

    beforeAll(async () => {
      service = services[index]!
      client = await apiClient(service.dev.baseUrl, service.dev)
    })

    const mails = async (): Promise<{ to: string; text: string; sentAt: string }[]> =>
      (await clientWithToken(service.dev.baseUrl).send('GET', '/dev/mails', { headers: { Accept: 'application/json' } })).body

    async function mailedCode(): Promise<string> {
      for (let tries = 0; tries < 1_000; tries++) {
        const code = (await mails()).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
        if (code) return code
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error('No code was mailed.')
    }

    test('is really off', async () => {
      const { body } = await client.get('/api/v1/nothing')
      expect(Math.round((Date.parse(body.timestamp) - Date.now()) / 3_600_000)).toBe(hours)
    })

    test('does not affect access tokens, expiries or presigned links', async () => {
      const { iat, exp } = decodeJwt(client.token)
      expect([isNear(iat! * 1000), exp! - iat!]).toEqual([true, 300])
      for (const [minutes, status] of [
        [4, 422],
        [6, 201],
      ] as const) {
        const body = { title: 'x', signers: [ADA], expiresAt: inMinutes(minutes) }
        expect((await client.post('/api/v1/envelopes', body)).status).toBe(status)
      }
      const { id, createdAt } = await aDraft(client)
      const [{ downloadUrl }] = (await client.get(`/api/v1/envelopes/${id}/documents`)).body
      expect([isNear(createdAt), (await fetch(downloadUrl)).status]).toEqual([true, 200])
      expect(isNear(Number(new URL(downloadUrl).searchParams.get('expires')) * 1000 - 3_600_000)).toBe(true)
    })

    test('does not affect links, codes, emails or signatures', async () => {
      const sent = await aSentEnvelope(client, { otpRequired: true })
      ;({ token } = sent.tokens[0]!)
      envelopeId = sent.id
      expect(isNear(Date.parse(sent.tokens[0]!.expiresAt!) - 72 * 3_600_000)).toBe(true)
      const person = signer(service.dev.baseUrl, token)
      const { body: challenge } = await person.requestOtp()
      expect(challenge).toMatchObject({ resent: true, expiresInSeconds: 600 })
      const code = await mailedCode()
      expect((await person.verifyOtp(challenge.challengeId, code)).body.verified).toBe(true)
      await person.viewOpened()
      expect((await person.sign()).body).toMatchObject({ completed: true })
      expect((await mails()).map(({ sentAt }) => isNear(sentAt))).not.toContain(false)
    })

    test('does not affect the seal: its time is right, its certificate in date, and every validator accepts it', async () => {
      const url = await untilSealed()
      const sealed = Buffer.from(await (await fetch(url)).arrayBuffer())
      const trust = readPemCertificates(await readFile(path.join(service.dataDir, 'keys', 'signing-root.pem'), 'latin1'))
      const { valid, signature } = verifyPdf(sealed, { trust })
      expect([valid, isNear(signature!.signedAt), isNear(signature!.certificate.notBefore.getTime() + 3_600_000)]).toEqual([
        true,
        true,
        true,
      ])
      const times = await service.database.owner`select at from audit_events where envelope_id = ${envelopeId}`
      expect(times.map((row) => isNear(row['at']))).not.toContain(false)
    })

    test("does not affect the command's check of the audit trail", async () => {
      const env = { ...process.env, SEALWRIGHT_DATA_DIR: service.dataDir }
      const { stdout } = await run(process.execPath, ['api/cli/main.ts', 'audit', 'verify', '--json'], { env })
      expect(JSON.parse(stdout)).toMatchObject({ intact: true, badRows: [], firstBadRow: null })
    })

    async function untilSealed(): Promise<string> {
      for (let tries = 0; tries < 1_000; tries++) {
        const { body } = await signer(service.dev.baseUrl, token).signedCopy()
        if (body.signedDocumentsReady) return body.documents[0].signedDownloadUrl
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error('Nothing was sealed.')
    }
  },
)
