// A dry run of the seal: what prevents sealing must show before a signer signs. Nothing is hashed or signed, so it costs as much as opening the document.
import { newBudget, SEALED_PDF_LIMITS } from '../budget.ts'
import type { ByteSource } from '../read/byte-source.ts'
import type { FormBundle } from '../increment/form-bundle.ts'
import { walkFields } from '../read/form-fields.ts'
import { type Increment, writeIncrement } from '../increment/increment.ts'
import { malformed, PdfError } from '../pdf-error.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { needsOnePage, type SealPlan } from '../plan/seal-plan.ts'
import { bytesOf } from '../read/syntax.ts'
import { countOf, type PdfDict } from '../read/value.ts'

/** The size of a signature with a long chain. */
const CONTENTS_BYTES = 16 * 1024
const DRAWING: FormBundle = {
  width: 216,
  height: 72,
  layouts: 1,
  objects: [{ body: [bytesOf('<</Type/XObject/Subtype/Form/BBox[0 0 216 72]/Length 0>>')], data: Buffer.alloc(0) }],
}

/** Throws DOCUMENT_INVALID unless the document opens and has its signature with a visible seal on every page of the plan, or with a hidden one. */
export function checkSealable(file: PdfFile, plan: SealPlan, visible: boolean): void {
  const reason = reasonNotSealable(file, plan, visible)
  if (reason !== undefined) throw malformed(`it cannot be sealed, ${reason}`)
}

function reasonNotSealable(file: PdfFile, plan: SealPlan, visible: boolean): string | undefined {
  try {
    const increment = write(plan, visible)
    const sealed = openPdf(concatenated(file.source, increment.bytes), newBudget(SEALED_PDF_LIMITS))
    return sealed.pageCount === file.pageCount && hasSignature(sealed, increment) ? undefined : 'it would not show its seal'
  } catch (error) {
    // A number is too large for its field.
    if (error instanceof RangeError) return 'its numbers are too large'
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return 'it could no longer be read'
    throw error
  }
}

function write(plan: SealPlan, visible: boolean): Increment {
  const pages = needsOnePage(plan) ? plan.pages.slice(-1) : plan.pages
  return writeIncrement(plan, {
    forms: [DRAWING],
    placements: visible ? pages.map(({ index }) => ({ form: 0, page: index, matrix: [1, 0, 0, 1, 0, 0], layout: 0 })) : [],
    signatureEntries: '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached',
    contentsBytes: CONTENTS_BYTES,
    fieldDescription: 'Dry run',
    documentIdSeed: Buffer.from('dry run'),
  })
}

function hasSignature(sealed: PdfFile, { gapStart, gapEnd }: Increment): boolean {
  for (const { signature } of walkFields(sealed)) {
    if (signature !== undefined && hasGap(signature, gapStart, gapEnd)) return true
  }
  return false
}

function hasGap(signature: PdfDict, gapStart: number, gapEnd: number): boolean {
  const range = signature.entries.get('ByteRange')
  if (range?.kind !== 'array') return false
  const [start, before, next] = range.items.map(countOf)
  return start === 0 && before === gapStart && next === gapEnd
}

/** Joins the document and the increment without reading the document into memory. */
function concatenated(original: ByteSource, increment: Buffer): ByteSource {
  const split = original.length
  return {
    length: split + increment.length,
    read(start, end) {
      if (end <= split) return original.read(start, end)
      const tail = increment.subarray(Math.max(0, start - split), end - split)
      return start >= split ? tail : Buffer.concat([original.read(start, split), tail])
    },
  }
}
