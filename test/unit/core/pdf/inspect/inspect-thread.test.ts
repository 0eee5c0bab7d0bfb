// What crosses from the thread: answers and faults as data, the exhaustion of the thread as a fault.
import { inspect } from '#core/pdf/inspect/inspect-thread.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'

const inspectPdf = vi.hoisted(() => vi.fn<() => never>())
vi.mock('#core/pdf/inspect/inspect-pdf.ts', () => ({ inspectPdf }))
beforeEach(() => {
  inspectPdf.mockReset()
})

const TASK = { path: pdfFixture('pdfkit.pdf'), refuseActiveContent: true }

const EXHAUSTED = [
  'Maximum call stack size exceeded',
  'Array buffer allocation failed',
  'Invalid array length',
  'Invalid string length',
]

test.each(EXHAUSTED)('a thread that fails with "%s" finds the document too complex', (message) => {
  inspectPdf.mockImplementation(() => {
    throw new RangeError(message)
  })
  expect(inspect(TASK)).toMatchObject({ ok: false, code: 'DOCUMENT_TOO_COMPLEX' })
})

test('a fault of the code is no fault of the document', () => {
  inspectPdf.mockImplementation(() => {
    throw new RangeError('there is no page 7')
  })
  expect(() => inspect(TASK)).toThrow('there is no page 7')
})
