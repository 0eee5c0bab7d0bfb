// Removes objects that nothing refers to: replaced revisions, cross-reference and object streams, the encryption dictionary.
import { PDFArray, type PDFContext, PDFDict, PDFInvalidObject, type PDFObject, PDFRef, PDFStream } from 'pdf-lib'
import { contradictory } from '../pdf-error.ts'

/**
 * Keeps what the trailer reaches; everything when a reached object is damaged, because its references are unknown. Throws DOCUMENT_INVALID for a reference to
 * an object with a newer generation: viewers disagree on which of the two it means.
 */
export function dropUnreachable(context: PDFContext): void {
  const { Root, Info, ID } = context.trailerInfo
  const newest = newestGenerations(context)
  const waiting: (PDFObject | undefined)[] = [Root, Info, ID]
  const reached = new Set<PDFRef>()
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value instanceof PDFInvalidObject) return
    if (!(value instanceof PDFRef)) {
      for (const part of partsOf(value)) waiting.push(part)
    } else if (!reached.has(value)) {
      const { objectNumber, generationNumber } = value
      if ((newest.get(objectNumber) ?? 0) > generationNumber)
        throw contradictory(`a reference in it leads to an old version of object ${objectNumber}`)
      reached.add(value)
      waiting.push(context.lookup(value))
    }
  }
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!reached.has(ref)) context.delete(ref)
  }
}

function newestGenerations(context: PDFContext): ReadonlyMap<number, number> {
  const newest = new Map<number, number>()
  for (const [{ objectNumber, generationNumber }] of context.enumerateIndirectObjects()) {
    newest.set(objectNumber, Math.max(generationNumber, newest.get(objectNumber) ?? 0))
  }
  return newest
}

function partsOf(value: PDFObject | undefined): readonly PDFObject[] {
  if (value instanceof PDFDict) return value.values()
  if (value instanceof PDFStream) return [value.dict]
  return value instanceof PDFArray ? value.asArray() : []
}
