// What a thread returns: inspections and errors as data, exhaustion of the thread as an error.
import { inspect } from '#core/pdf/upload/inspect-thread.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'

const inspectPdf = vi.hoisted(() => vi.fn<() => never>())
vi.mock('#core/pdf/inspect/inspect-pdf.ts', () => ({ inspectPdf }))
beforeEach(() => {
  inspectPdf.mockReset()
})

const TASK = { path: pdfFixture('pdfkit.pdf'), refuseActiveContent: true, repairDocuments: false }

const TOOLS = { checkSignatures: () => undefined, drawAppearances: (bytes: Buffer) => Promise.resolve(bytes) }

const EXHAUSTED = [
  'Maximum call stack size exceeded',
  'Array buffer allocation failed',
  'Invalid array length',
  'Invalid string length',
]

test.each(EXHAUSTED)('a thread that fails with "%s" finds the document too complex', async (message) => {
  inspectPdf.mockImplementation(() => {
    throw new RangeError(message)
  })
  expect(await inspect(TASK, TOOLS)).toMatchObject({ ok: false, code: 'DOCUMENT_TOO_COMPLEX' })
})

test('a bug is thrown, not reported as an error of the document', async () => {
  inspectPdf.mockImplementation(() => {
    throw new RangeError('there is no page 7')
  })
  await expect(inspect(TASK, TOOLS)).rejects.toThrow('there is no page 7')
})
