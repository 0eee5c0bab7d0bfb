// Refuses cross-reference data that viewers read in different ways: sealing could change what one viewer shows and another hides.
import { malformed } from '../pdf-error.ts'
import { countOf } from './value.ts'
import type { Subsection, XrefEntry, XrefSection } from './xref-entry.ts'
import { findIn, type Xref } from './xref.ts'

/** /Size of the newest trailer. Throws DOCUMENT_INVALID when it is missing, or when an object in use is beyond it. */
export function checkedSize(xref: Xref, largest: number): number {
  const size = countOf(xref.newest.trailer.entries.get('Size'))
  if (size === undefined || size === 0 || size > largest) throw malformed('its trailer is damaged')
  for (const section of sectionsOf(xref)) {
    for (const subsection of section.subsections) checkWithin(xref, subsection, size)
  }
  return size
}

// Some viewers drop objects beyond /Size and some do not; an increment with a larger /Size would make them appear.
function checkWithin(xref: Xref, { first, count }: Subsection, size: number): void {
  for (let num = Math.max(first, size); num < first + count; num++) {
    if (xref.find(num) !== undefined) throw malformed('its trailer counts too few objects')
  }
}

/** Throws DOCUMENT_INVALID when a hybrid-reference file has different objects for old and new readers. */
export function checkHybrid(xref: Xref): void {
  for (const { hidden } of xref.revisions) {
    for (const { first, count } of hidden?.subsections ?? []) {
      for (let num = first; num < first + count; num++) {
        const old = findIn(xref.revisions, num, false)
        if (old !== undefined && !samePlace(old, xref.find(num)))
          throw malformed('its two cross-reference tables contradict each other')
      }
    }
  }
}

function samePlace(one: XrefEntry, other: XrefEntry | undefined): boolean {
  return one.type === 'plain' && other?.type === 'plain' && one.offset === other.offset && one.gen === other.gen
}

function sectionsOf(xref: Xref): XrefSection[] {
  return xref.revisions.flatMap(({ main, hidden }) => (hidden === undefined ? [main] : [main, hidden]))
}
