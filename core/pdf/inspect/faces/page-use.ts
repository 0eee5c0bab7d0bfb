// The objects that each page uses: all that is reachable from it, except where a link leads and what the page belongs to. No recursion.
import { withFallback } from '../decode-content.ts'
import type { PdfPage } from '../../read/page-tree.ts'
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
  for (const page of pages) {
    use.set(page.num, page.index)
    for (const branch of branchesAbove(file, page.dict)) if (!use.has(branch)) use.set(branch, page.index)
    for (const num of visitPage(file, page, visitor, (num) => use.has(num) || tree.has(num))) use.set(num, page.index)
  }
  return use
}

/** Yields the objects that the page refers to, other than those to be skipped, before it follows each. */
function* visitPage(file: PdfFile, page: PdfPage, visitor: PageVisitor, skips: (num: number) => boolean): Generator<number> {
  const { index, num, dict, attributes } = page
  const waiting = [...entriesOf(dict, NOT_SHOWN_BY_PAGE), ...attributes.values()].map((value) => ({ value, holder: num }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, holder } = next
    if (value.kind === 'dict') visitor.dictionary?.(value, index, holder)
    for (const part of partsOf(value)) waiting.push({ value: part, holder })
    if (value.kind !== 'ref') continue
    visitor.reference?.(value, index)
    if (skips(value.num)) continue
    yield value.num
    waiting.push({ value: shownObject(file, value.num), holder: value.num })
  }
}

/** Null for a branch of the page tree. */
function shownObject(file: PdfFile, num: number): PdfValue {
  const object = withFallback(() => file.get(num), NULL)
  return isBranch(object) ? NULL : object
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
