// The objects that each page uses: all that is reachable from it, except where a link leads and what the page belongs to. No recursion.
import { withFallback } from '../decode-content.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { isName, NULL, type PdfDict, type PdfRef, type PdfValue } from '../../read/value.ts'

/** Which page uses an object first, counted from 0, by object number. */
export type PageUse = ReadonlyMap<number, number>

/** What a page and an annotation refer to without showing it: the tree, targets of links, actions, threads, data of applications. */
const NOT_SHOWN_BY_PAGE = new Set(['Parent', 'B', 'AA', 'Metadata', 'PieceInfo', 'SeparationInfo', 'Thumb', 'AF'])
const NOT_SHOWN_BY_ANNOTATION = new Set(['P', 'Dest', 'A', 'AA', 'PA', 'Kids', 'AF'])

export interface PageVisitor {
  reference?(ref: PdfRef, page: number): void
  /** A dictionary, or that of a stream, with the number of the object that it is in. */
  dictionary?(dict: PdfDict, page: number, num: number): void
}

/** Visits what every page uses. Throws what reading throws, except DOCUMENT_INVALID, and what the visitor throws. */
export function readPageUse(file: PdfFile, visitor: PageVisitor = {}): PageUse {
  const use = new Map<number, number>()
  const pages = [...file.pages()]
  const tree = new Set(pages.map(({ num }) => num))
  for (const { index, num, dict, attributes } of pages) {
    use.set(num, index)
    for (const branch of branchesAbove(file, dict)) if (!use.has(branch)) use.set(branch, index)
    const waiting = [...entriesOf(dict, NOT_SHOWN_BY_PAGE), ...attributes.values()].map((value) => ({ value, holder: num }))
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { value, holder } = next
      if (value.kind !== 'ref') {
        if (value.kind === 'dict') visitor.dictionary?.(value, index, holder)
        for (const part of partsOf(value)) waiting.push({ value: part, holder })
        continue
      }
      visitor.reference?.(value, index)
      if (use.has(value.num) || tree.has(value.num)) continue
      use.set(value.num, index)
      const { num: target } = value
      const object = withFallback(() => file.get(target), NULL)
      if (!isBranch(object)) waiting.push({ value: object, holder: target })
    }
  }
  return use
}

/** A branch may hold resources that the page inherits. */
function* branchesAbove(file: PdfFile, page: PdfDict): Generator<number> {
  let parent = page.entries.get('Parent')
  for (let level = 0; parent?.kind === 'ref' && level < file.budget.limits.pageTreeDepth; level++) {
    yield parent.num
    const { num } = parent
    const branch = withFallback(() => file.get(num), NULL)
    parent = branch.kind === 'dict' ? branch.entries.get('Parent') : undefined
  }
}

function isBranch(value: PdfValue): boolean {
  return value.kind === 'dict' && isName(value.entries.get('Type'), 'Pages')
}

function partsOf(value: PdfValue): readonly PdfValue[] {
  if (value.kind === 'array') return value.items
  if (value.kind === 'stream') return [value.dict]
  if (value.kind !== 'dict') return []
  return isAnnotation(value) ? entriesOf(value, NOT_SHOWN_BY_ANNOTATION) : [...value.entries.values()]
}

/** Annotations, and the fields above them. */
function isAnnotation({ entries }: PdfDict): boolean {
  return (entries.has('Rect') && entries.has('Subtype')) || (entries.has('Kids') && entries.has('T'))
}

function entriesOf({ entries }: PdfDict, without: ReadonlySet<string>): PdfValue[] {
  return [...entries].filter(([key]) => !without.has(key)).map(([, value]) => value)
}
