// A seal in advance: whatever would keep the document from being sealed has to show before anybody signs it. Nothing is hashed or signed, so that it
// costs what opening the document costs.
import { newBudget, SEALED_PDF_LIMITS } from '../budget.ts'
import type { ByteSource } from '../read/byte-source.ts'
import type { FormBundle } from '../increment/form-bundle.ts'
import { walkFields } from '../read/form-fields.ts'
import { type Increment, writeIncrement } from '../increment/increment.ts'
import { malformed, PdfError } from '../pdf-fault.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { needsOnePage, type SealPlan } from '../plan/seal-plan.ts'
import { bytesOf } from '../read/syntax.ts'
import { countOf, type PdfDict } from '../read/value.ts'

/** As many bytes as a signature with a long chain. */
const CONTENTS_BYTES = 16 * 1024
const DRAWING: FormBundle = {
  width: 216,
  height: 72,
  objects: [{ body: [bytesOf('<</Type/XObject/Subtype/Form/BBox[0 0 216 72]/Length 0>>')], data: Buffer.alloc(0) }],
}

/** Throws DOCUMENT_INVALID unless the document, with a seal that can be seen on every page of the site or with none, opens and has its signature. */
export function rehearseSeal(file: PdfFile, site: SealPlan, visible: boolean): void {
  const reason = obstacleOf(file, site, visible)
  if (reason !== undefined) throw malformed(`it cannot be sealed, ${reason}`)
}

function obstacleOf(file: PdfFile, site: SealPlan, visible: boolean): string | undefined {
  try {
    const increment = write(site, visible)
    const sealed = openPdf(appended(file.source, increment.bytes), newBudget(SEALED_PDF_LIMITS))
    return sealed.pageCount === file.pageCount && hasSignature(sealed, increment) ? undefined : 'it would not show its seal'
  } catch (error) {
    // A number that does not fit where it has to stand.
    if (error instanceof RangeError) return 'its numbers are too large'
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return 'it could no longer be read'
    throw error
  }
}

function write(site: SealPlan, visible: boolean): Increment {
  const pages = needsOnePage(site) ? site.pages.slice(-1) : site.pages
  return writeIncrement(site, {
    forms: [DRAWING],
    placements: visible ? pages.map(({ index }) => ({ form: 0, page: index, matrix: [1, 0, 0, 1, 0, 0] })) : [],
    signatureEntries: '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached',
    contentsBytes: CONTENTS_BYTES,
    fieldDescription: 'Rehearsal',
    documentIdSeed: Buffer.from('rehearsal'),
  })
}

function hasSignature(sealed: PdfFile, { gapStart, gapEnd }: Increment): boolean {
  for (const { signature } of walkFields(sealed)) {
    if (signature !== undefined && leavesOut(signature, gapStart, gapEnd)) return true
  }
  return false
}

function leavesOut(signature: PdfDict, gapStart: number, gapEnd: number): boolean {
  const range = signature.entries.get('ByteRange')
  if (range?.kind !== 'array') return false
  const [start, before, next] = range.items.map(countOf)
  return start === 0 && before === gapStart && next === gapEnd
}

/** The document with what is appended to it, which need not be in memory. */
function appended(original: ByteSource, increment: Buffer): ByteSource {
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
