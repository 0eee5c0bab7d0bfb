// Buffers pass between threads without being cloned: both tasks and results use shared memory or transfer their buffers.
import { MessagePort } from 'node:worker_threads'
import { transferableSymbol, valueSymbol } from 'piscina'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { findSeals } from '#core/pdf/placement/seal-places.ts'
import { openAppearancePool } from '#core/appearance/appearance-pool.ts'
import { runAppearanceTask } from '#core/appearance/appearance-thread.ts'
import type { SealContents } from '#core/appearance/seal-contents.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import { runReportTask } from '#core/audit-report/report-thread.ts'
import { runSealTask } from '#core/seal/seal-thread.ts'
import { openSealingThreads, type SealedBytes, type SealRequest } from '#core/seal/sealing-pool.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { writePemKey } from '#core/pades/signing-key.ts'
import { openVerificationPool } from '#core/pades/verification-pool.ts'
import { writePng } from '#core/png/write-png.ts'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'
import { anAuditReport } from '../../../support/builders/audit-report.ts'
import { buffersIn } from '../../../support/judges/buffers-in.ts'
import { ORIGINAL } from '../pades/sealed-file.ts'

const KEY = await newSelfSignedKey({ commonName: 'Test', organisation: 'Test', now: new Date() })
const APPEARANCES = await Promise.all([drawing(), drawing()])

async function drawing(): Promise<Buffer> {
  const pool = openAppearancePool()
  const seal = await pool.draw(contents(), 'house')
  await pool.close()
  return seal
}

function image(): Buffer {
  return writePng({ width: 1, height: 1, pixels: Buffer.from([0, 0, 0, 255]) })
}

function contents(imagePng = image()): SealContents {
  return {
    signerName: 'Sample',
    signerEmail: 'sample@example.com',
    organisationName: 'Garden Club e.V.',
    signedAt: new Date(0),
    signatureId: '',
    verificationCode: '',
    verifyUrl: 'https://example.com/verify',
    imagePng,
  }
}

function sealRequest(appearances: readonly Buffer[]): SealRequest {
  const original = new Uint8Array(new SharedArrayBuffer(ORIGINAL.length))
  original.set(ORIGINAL)
  const { plan, places } = inspectPdf(bufferSource(ORIGINAL), { refuseActiveContent: true })
  const seals = appearances.map((appearance, index) => ({ signOrder: index + 1, name: 'Ada', appearance }))
  return {
    original,
    plan,
    placements: findSeals(
      places,
      seals.map(({ signOrder }) => signOrder),
    )!,
    seals,
    sealedAt: new Date(),
    auditHead: AUDIT_HEAD,
  }
}

let post: ReturnType<typeof watchPosts>
const watchPosts = () => vi.spyOn(MessagePort.prototype, 'postMessage')
beforeEach(() => {
  post = watchPosts()
})
afterEach(() => void vi.restoreAllMocks())

/** Buffers that were posted but not transferred, except shared memory. */
function leftOfPosted(): ArrayBufferView[] {
  const posted = buffersIn(post.mock.calls.map(([message]) => message))
  expect(posted.length).toBeGreaterThan(0)
  return posted.filter(({ buffer, byteLength }) => !(buffer instanceof SharedArrayBuffer) && byteLength > 0)
}

function expectExact(...answers: Buffer[]): void {
  for (const { buffer, byteLength } of answers) expect(buffer.byteLength).toBe(byteLength)
}

/** Expects that exactly the buffers of the result are transferred. */
function expectGiven(answer: object): void {
  if (!(valueSymbol in answer && transferableSymbol in answer)) throw new Error('The answer is cloned.')
  const buffers = buffersIn(answer[valueSymbol])
  expect(answer[transferableSymbol]).toEqual(buffers.map(({ buffer }) => buffer))
  for (const { buffer, byteLength } of buffers) expect(buffer.byteLength).toBe(byteLength)
}

async function seal(request: SealRequest): Promise<SealedBytes> {
  const threads = openSealingThreads({ threads: 1, limitSeconds: 60 })
  onTestFinished(() => threads.close())
  const key = { pem: writePemKey(KEY) }
  await threads.seal(request, key)
  // Another document of the same envelope has the same seals.
  return threads.seal(request, key)
}

describe('no buffer is cloned', () => {
  test('for a seal that is drawn', async () => {
    const pool = openAppearancePool()
    onTestFinished(() => pool.close())
    const imagePng = await pool.checkImage(image().toString('base64'), 'house')
    expectExact(imagePng)
    expectExact(await pool.draw(contents(imagePng), 'house'))
    expect(leftOfPosted()).toEqual([])
    expect(imagePng.byteLength).toBe(0)
  })

  test('for a document that is sealed, and the drawn seals remain usable for the next one', async () => {
    const { increment, sha256 } = await seal(sealRequest(APPEARANCES))
    expectExact(increment, sha256)
    expect(leftOfPosted()).toEqual([])
    expect(APPEARANCES.every(({ byteLength }) => byteLength > 0)).toBe(true)
  })

  test('for a sealed copy that is verified, and its hash and certificate remain usable', async () => {
    const { increment, sha256 } = await seal(sealRequest(APPEARANCES))
    const pool = openVerificationPool()
    onTestFinished(() => pool.close())
    post.mockClear()
    const read = async () => Buffer.concat([ORIGINAL, increment])
    const verify = (name: string) =>
      pool.verify({ owner: 'house', name, read, sha256, certificate: KEY.certificate, now: new Date() })
    expect([await verify('one'), await verify('another')]).toEqual([
      expect.objectContaining({ valid: true }),
      expect.objectContaining({ valid: true }),
    ])
    expect(leftOfPosted()).toEqual([])
  })

  test('for a report', async () => {
    const pool = openReportPool()
    onTestFinished(() => pool.close())
    expectExact((await pool.draw(anAuditReport({}), 'house')).pdf)
  })

  test('in any result of a thread', async () => {
    const { seals, ...request } = sealRequest(APPEARANCES)
    expectGiven(await runSealTask({ ...request, seals, pem: writePemKey(KEY) }))
    expectGiven(await runAppearanceTask({ kind: 'check', signatureImage: image().toString('base64') }))
    expectGiven(await runAppearanceTask({ kind: 'draw', contents: contents() }))
    expectGiven(await runReportTask(anAuditReport({})))
  })
})
