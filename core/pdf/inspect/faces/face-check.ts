// One document, one face: every reference that a page needs leads to its object, and every object in the file is listed. Otherwise viewers differ: some
// take the object of another generation, some rebuild the table from whatever the bytes of the file define (ISO 32000-2, 7.3.10 and 7.5.4).
import { irregular } from '../../pdf-error.ts'
import { type Extent, extentOf, replacedEntries, sectionStarts } from '../../read/extents.ts'
import { readIndirectObject } from '../../read/indirect-object.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
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
  const extents: Extent[] = []
  const starts = new Set<number>()
  return {
    visitor: {
      reference: (ref) => markReference(marks, ref),
      object({ num, entry }, value) {
        markInUse(marks, num, entry)
        if (entry.type !== 'plain') return
        starts.add(file.base + entry.offset)
        if (value !== undefined) addExtent(extents, () => extentOf(file, entry.offset, value))
      },
    },
    finish() {
      addReplaced(file, extents, starts)
      const num = findUnlisted(file, extents, starts)
      if (num !== undefined) throw irregular(`the file holds an object ${num} that its cross-reference table does not list`)
      if (!allAnswered(marks)) checkReferences(file, marks, starts)
    },
  }
}

/** Older versions of objects, which an older section lists, and the sections that are objects themselves. */
function addReplaced(file: PdfFile, extents: Extent[], starts: Set<number>): void {
  const older = [...replacedEntries(file)].map(({ entry }) => entry.offset)
  for (const offset of [...older, ...sectionStarts(file).map((start) => start - file.base)]) {
    const start = file.base + offset
    if (starts.has(start)) continue
    starts.add(start)
    addExtent(extents, () => extentOf(file, offset, readIndirectObject(file.source, file.budget, start).value))
  }
}

/** Adds nothing for what cannot be read: nothing needs it. */
function addExtent(extents: Extent[], read: () => Extent): void {
  const extent = withFallback<Extent | undefined>(read, undefined)
  if (extent !== undefined) extents.push(extent)
}

