// What the PDF library read of a damaged file must hold the newest version of every object. The library reads on after damage, and an older version would take
// the place of what it left out.
import { type PDFContext, PDFDict, PDFInvalidObject, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import { contradictory, malformed } from '../pdf-error.ts'
import { definitionsIn, firstDefinition } from '../read/definitions.ts'

const LENGTH = PDFName.of('Length')
const TYPE = PDFName.of('Type')
const ROOT = PDFName.of('Root')
const CATALOG = PDFName.of('Catalog')
const XREF = '/XRef'
const OBJECT_STREAM = '/ObjStm'

/** Throws DOCUMENT_INVALID when the file ends within an object, other than its last cross-reference stream, which is not needed. */
export function refuseCutObject(bytes: Buffer): void {
  const tail = bytes.subarray(bytes.lastIndexOf('endobj') + 1)
  for (const { num, at } of definitionsIn(tail)) {
    const stream = tail.indexOf('stream', at)
    if (!tail.subarray(at, stream < 0 ? undefined : stream).includes(XREF)) throw malformed(`it ends within object ${num}`)
  }
}

/** Throws DOCUMENT_INVALID where damage may hide a newer version of an object. `readable`: the streams have the lengths that they declare. */
export function checkLoaded(context: PDFContext, readable: boolean): void {
  for (const [ref, value] of context.enumerateIndirectObjects()) {
    if (value instanceof PDFInvalidObject) refuseHidden(ref, copyOf(value))
    else if (readable && value instanceof PDFRawStream && value.contents.length !== lengthOf(value)) {
      const { buffer, byteOffset, length } = value.contents
      refuseHidden(ref, Buffer.from(buffer, byteOffset, length))
    }
  }
}

/** Throws DOCUMENT_INVALID for a catalog behind the last trailer that is not the one in use: the trailer of an update is lost. */
export function refuseLostCatalog(context: PDFContext, bytes: Buffer): void {
  let newest: PDFRef | undefined
  for (const { num, gen } of definitionsIn(bytes.subarray(Math.max(0, bytes.lastIndexOf('trailer'))))) {
    const ref = PDFRef.of(num, gen)
    const value = context.lookup(ref)
    if (value instanceof PDFDict && value.lookup(TYPE) === CATALOG) newest = ref
    else if (value instanceof PDFRawStream && value.dict.has(ROOT)) newest = undefined
  }
  if (newest !== undefined && newest !== context.trailerInfo.Root)
    throw contradictory(`object ${newest.objectNumber} is a newer catalog than the one that its trailer names`)
}

/** An object that was not closed takes in those behind it; those of a damaged object stream are unknown. */
function refuseHidden({ objectNumber }: PDFRef, bytes: Buffer): void {
  const hidden = firstDefinition(bytes)
  if (hidden !== undefined) throw malformed(`object ${objectNumber} is damaged, and object ${hidden.num} with it`)
  if (bytes.includes(OBJECT_STREAM)) throw malformed(`object ${objectNumber}, which holds others, is damaged`)
}

function copyOf(value: PDFInvalidObject): Buffer {
  const bytes = Buffer.alloc(value.sizeInBytes())
  value.copyBytesInto(bytes, 0)
  return bytes
}

function lengthOf({ dict }: PDFRawStream): number | undefined {
  const length = dict.lookup(LENGTH)
  return length instanceof PDFNumber ? length.asNumber() : undefined
}
