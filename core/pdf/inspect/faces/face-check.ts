// One document, one face: every reference that a page needs leads to its object, and every object in the file is listed. Otherwise viewers differ: some
// take the object of another generation, some rebuild the table from whatever the bytes of the file define (ISO 32000-2, 7.3.10 and 7.5.4).
import { irregular } from '../../pdf-error.ts'
import { addExtent, endOf, type Extents, newExtents, replacedEntries, sectionStarts, sortExtents } from '../../read/extents.ts'
import { readIndirectObject } from '../../read/indirect-object.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import type { PdfValue } from '../../read/value.ts'
import { withFallback } from '../decode-content.ts'
import { checkReferences } from './broken-references.ts'
import type { ObjectVisitor } from '../live-objects.ts'
import { allAnswered, markInUse, markReference, newReferenceMarks } from './reference-marks.ts'
import { findUnlisted } from './unlisted-objects.ts'

export interface FaceCheck {
  readonly visitor: Required<Pick<ObjectVisitor, 'reference' | 'object'>>
  /** To be called after all objects are visited. Throws DOCUMENT_INVALID for a document with two faces, DOCUMENT_TOO_COMPLEX. */
  finish(): void
}

export function openFaceCheck(file: PdfFile): FaceCheck {
  const marks = newReferenceMarks(file.size)
  const listed = newExtents()
  return {
    visitor: {
      reference: (ref) => markReference(marks, ref),
      object({ num, entry }, value) {
        markInUse(marks, num, entry)
        if (entry.type === 'plain') addExtent(listed, file.base + entry.offset, readableEnd(file, entry.offset, value))
      },
    },
    finish() {
      addReplaced(file, listed)
      sortExtents(listed)
      const num = findUnlisted(file, listed)
      if (num !== undefined) throw irregular(`the file holds an object ${num} that its cross-reference table does not list`)
      if (!allAnswered(marks)) checkReferences(file, marks, listed)
    },
  }
}

/** Older versions of objects, which an older section lists, and the sections that are objects themselves. */
function addReplaced(file: PdfFile, listed: Extents): void {
  const older = [...replacedEntries(file)].map(({ entry }) => entry.offset)
  for (const offset of [...older, ...sectionStarts(file).map((start) => start - file.base)]) {
    const start = file.base + offset
    const object = withFallback(() => readIndirectObject(file.source, file.budget, start), undefined)
    addExtent(listed, start, readableEnd(file, offset, object?.value))
  }
}

/** The end of an object; its start when it cannot be read, which nothing needs. */
function readableEnd(file: PdfFile, offset: number, value: PdfValue | undefined): number {
  const start = file.base + offset
  if (value === undefined) return start
  return value.kind === 'stream' ? withFallback(() => endOf(file, offset, value), start) : endOf(file, offset, value)
}
