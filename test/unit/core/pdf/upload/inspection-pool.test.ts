// What callers of the pool get: the inspection, or the error with its code and sentence, as if it ran on the same thread.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { UPLOAD_THREAD } from '#core/pades/signatures/upload-thread.ts'
import { openInspectionPool } from '#core/pdf/upload/inspection-pool.ts'
import { afterAll, expect, test } from 'vitest'
import { BOMBS } from '../../../../support/hostile/bombs/all-bombs.ts'
import { onePage, stream } from '../../../../support/hostile/hostile-pdfs.ts'

const REFUSE = { refuseActiveContent: true, repairDocuments: true }
const HOUSE = { owner: 'house' }
const folder = mkdtempSync(path.join(tmpdir(), 'inspect-'))
const pool = openInspectionPool({ processes: 1, module: UPLOAD_THREAD, folder })

afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true })
})

function file(name: string, bytes: Buffer): string {
  const place = path.join(folder, name)
  writeFileSync(place, bytes)
  return place
}

const plain = onePage({ content: stream('', 'BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET') })

test('an accepted document returns its inspection', async () => {
  const inspection = inspectPdf(bufferSource(plain), REFUSE)
  expect(await pool.inspect(file('plain.pdf', plain), REFUSE, HOUSE)).toEqual({ inspection, normalisation: null })
})

test('a refused document causes a domain error with its code, kind and sentence', async () => {
  const script = file('script.pdf', onePage({ catalog: '/OpenAction<</S/JavaScript/JS(1)>>' }))
  await expect(pool.inspect(script, REFUSE, HOUSE)).rejects.toThrow(
    expect.objectContaining({
      name: 'DomainError',
      code: 'DOCUMENT_ACTIVE_CONTENT',
      kind: 'rule',
      message: 'The document contains scripts. Open it, print it to a PDF file and upload that file.',
    }),
  )
  expect((await pool.inspect(script, { ...REFUSE, refuseActiveContent: false }, HOUSE)).inspection.pageCount).toBe(1)
})

test('a missing file is not reported as an error of the document', async () => {
  await expect(pool.inspect(path.join(folder, 'missing.pdf'), REFUSE, HOUSE)).rejects.toThrow(
    expect.not.objectContaining({ name: 'DomainError' }),
  )
})

test('a repair that takes much memory is refused, with its process or within its limits, and the next one has a process', async () => {
  const bomb = Object.values(BOMBS)
    .flat()
    .find(({ name }) => name === 'a million subsections')
  await expect(pool.inspect(file('bomb.pdf', bomb!.build()), REFUSE, HOUSE)).rejects.toMatchObject({
    code: expect.stringMatching(/^DOCUMENT_(TOO_COMPLEX|INVALID)$/),
  })
  expect(await pool.inspect(file('behind.pdf', Buffer.concat([Buffer.from('\n'), plain])), REFUSE, HOUSE)).toMatchObject({
    inspection: { pageCount: 1 },
    normalisation: { reason: 'There are bytes before its header.', sha256: expect.any(Buffer) },
  })
})

test('documents beyond the queue limit are refused before any work', async () => {
  const place = file('queue.pdf', plain)
  const outcomes = await Promise.allSettled(Array.from({ length: 150 }, () => pool.inspect(place, REFUSE, HOUSE)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(150 - 1 - 128)
  for (const reason of refused)
    expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) })
  expect((await pool.inspect(place, REFUSE, HOUSE)).inspection.pageCount).toBe(1)
})

test('an aborted call throws the reason of its signal', async () => {
  const signal = AbortSignal.abort(new Error('the client went away'))
  await expect(pool.inspect(file('gone.pdf', plain), REFUSE, { ...HOUSE, signal })).rejects.toThrow('the client went away')
})

test('an organisation with slow documents has one process, so another is inspected beside it', async () => {
  const slow = file('slow.pdf', onePage({ content: stream('', '0 0 m 1 1 l S '.repeat(100_000)) }))
  const wide = openInspectionPool({ processes: 2, module: UPLOAD_THREAD, folder })
  try {
    const first = file('first.pdf', plain)
    await Promise.all(['slow', 'honest'].map((owner) => wide.inspect(first, REFUSE, { owner })))
    const order: string[] = []
    const inspect = (place: string, owner: string) =>
      wide.inspect(place, REFUSE, { owner }).then(
        () => order.push(owner),
        () => order.push(owner),
      )
    await Promise.all([...Array.from({ length: 4 }, () => inspect(slow, 'slow')), inspect(file('honest.pdf', plain), 'honest')])
    expect(order.indexOf('honest')).toBeLessThan(2)
  } finally {
    await wide.close()
  }
})
