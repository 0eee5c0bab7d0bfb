// The increment that seals a document: appended to it, it adds the visible seals and one signature field with an empty signature. The
// document itself is neither read nor changed (ISO 32000-2, 7.5.6 and 12.8).
import { createHash } from 'node:crypto'
import type { FormBundle } from './form-bundle.ts'
import {
  allocate,
  beginObject,
  endObject,
  finishIncrement,
  type IncrementWriter,
  newIncrementWriter,
  put,
  putObject,
} from './increment-writer.ts'
import { putFieldLock } from './field-lock.ts'
import { HIDDEN, putAppearance, writeSignatureField } from './signature-field.ts'
import { updatePages } from './update-pages.ts'
import { type Placement, placeForms } from './place-forms.ts'
import { needsOnePage, type SealPlan, plannedPage } from '../plan/seal-plan.ts'
import { unpack } from '../plan/pack.ts'

export interface IncrementInput {
  readonly forms: readonly FormBundle[]
  /** Empty for a hidden field. Where needsOnePage holds, all on one page. */
  readonly placements: readonly Placement[]
  /** The entries of the signature dictionary in PDF syntax, without ByteRange and Contents. */
  readonly signatureEntries: string
  /** Bytes reserved for the signature. */
  readonly contentsBytes: number
  /** Name of the field in viewers and screen readers; any text. */
  readonly fieldDescription: string
  /** Seed of the sealed file's own file identifier. */
  readonly documentIdSeed: Buffer
}

export interface Increment {
  readonly bytes: Buffer
  /** From the `<` of /Contents to after its `>`, as offsets in the sealed file. */
  readonly gapStart: number
  readonly gapEnd: number
}

const ID_BYTES = 16
const RANGE_WIDTH = '0 4294967295 4294967295 4294967295'.length

/**
 * Writes the increment, to be appended to the unchanged original. ByteRange is filled in; /Contents is a gap of zeros. Throws RangeError
 * for a placement whose form or page does not exist, Error for seals on several pages where needsOnePage holds.
 */
export function writeIncrement(plan: SealPlan, input: IncrementInput): Increment {
  const writer = newIncrementWriter(plan)
  // The order matters: the plan gives the widget the first free number.
  const widget = allocate(writer, 1)
  const signature = allocate(writer, 1)
  const seals = placeForms(writer, input)
  const inWidget = needsOnePage(plan)
  const widgetAppearance = inWidget ? putAppearance(writer, seals) : HIDDEN
  const widgetPage = widgetAppearance.page ?? plan.pageCount - 1
  const lock = putFieldLock(writer)
  writeSignatureField(writer, {
    widget,
    signature,
    widgetAppearance,
    page: plannedPage(plan, widgetPage),
    description: input.fieldDescription,
    lock,
  })
  for (const { num, gen, body } of plan.formUpdates) putObject(writer, num, gen, unpack(body))
  updatePages(writer, { widget, widgetPage, seals: inWidget ? [] : seals })
  const gap = putSignature(writer, signature, input)
  const newId = createHash('sha256').update(input.documentIdSeed).digest().subarray(0, ID_BYTES)
  const bytes = finishIncrement(writer, newId)
  const range = `0 ${gap.start} ${gap.end} ${writer.position - gap.end}`
  bytes.write(range, gap.rangeAt - plan.length, 'latin1')
  return { bytes, gapStart: gap.start, gapEnd: gap.end }
}

function putSignature(
  writer: IncrementWriter,
  num: number,
  input: IncrementInput,
): { rangeAt: number; start: number; end: number } {
  beginObject(writer, num, 0)
  put(writer, '<<', input.signatureEntries, '/ByteRange[')
  const rangeAt = writer.position
  put(writer, ' '.repeat(RANGE_WIDTH), ']/Contents ')
  const start = writer.position
  put(writer, '<', Buffer.alloc(input.contentsBytes * 2, '0'), '>')
  const end = writer.position
  put(writer, '>>')
  endObject(writer)
  return { rangeAt, start, end }
}
