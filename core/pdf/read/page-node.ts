// One node of the page tree (ISO 32000-2, 7.7.3). Viewers inherit downwards or upwards by /Parent, and distinguish pages from branches in
// different ways; a node on which they would disagree is refused.
import type { PdfBudget } from '../budget.ts'
import { refuseDuplicateKeys } from './duplicate-keys.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, isName, isNull, NULL, type PdfDict, type PdfValue } from './value.ts'

/** The attributes that a page can inherit from its branches: Resources, MediaBox, CropBox, Rotate. */
export type PageAttributes = ReadonlyMap<string, PdfValue>

export interface PageNode {
  readonly num: number
  readonly gen: number
  readonly dict: PdfDict
  readonly attributes: PageAttributes
  /** The children of a branch; undefined for a page. */
  readonly kids: readonly PdfValue[] | undefined
  /** The page count that the node declares; 1 for a page. */
  readonly count: number
  /** Levels below the root. */
  readonly depth: number
}

/** The parts of a file that walking the tree needs. */
export interface PageObjects {
  readonly budget: PdfBudget
  catalog(): PdfDict
  resolve(value: PdfValue | undefined): PdfValue
}

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
const NO_ATTRIBUTES: PageAttributes = new Map()

/** The root of the page tree. */
export function rootNode(file: PageObjects): PageNode {
  const root = readNode(file, file.catalog().entries.get('Pages'), undefined)
  if (root.kids === undefined) throw malformed('it has no page tree')
  if (root.count === 0) throw malformed('it has no pages')
  if (root.count > file.budget.limits.pages) throw tooComplex(`it has more than ${file.budget.limits.pages} pages`)
  return root
}

/** A child of a branch. */
export function childNode(file: PageObjects, kid: PdfValue, parent: PageNode): PageNode {
  if (parent.depth + 1 >= file.budget.limits.pageTreeDepth) throw tooComplex('its page tree is too deep')
  return readNode(file, kid, parent)
}

function readNode(file: PageObjects, ref: PdfValue | undefined, parent: PageNode | undefined): PageNode {
  const dict = file.resolve(ref)
  if (ref?.kind !== 'ref' || dict.kind !== 'dict') throw malformed('its page tree is damaged')
  refuseDuplicateKeys(dict, 'a page has the same key twice')
  const kids = kidsOf(file, dict)
  const count = kids === undefined ? 1 : countOf(file.resolve(dict.entries.get('Count')))
  if (count === undefined) throw malformed('its page tree does not count its pages')
  const attributes = attributesOf(dict, parent)
  return { num: ref.num, gen: ref.gen, dict, attributes, kids, count, depth: parent === undefined ? 0 : parent.depth + 1 }
}

function kidsOf(file: PageObjects, dict: PdfDict): readonly PdfValue[] | undefined {
  const kids = file.resolve(dict.entries.get('Kids'))
  const type = file.resolve(dict.entries.get('Type'))
  if (isNull(kids)) {
    if (isName(type, 'Pages')) throw malformed('its page tree is damaged')
    return undefined
  }
  if (kids.kind !== 'array' || isName(type, 'Page')) throw malformed('its page tree is damaged')
  return kids.items
}

function attributesOf(dict: PdfDict, parent: PageNode | undefined): PageAttributes {
  const inherited = parent?.attributes ?? NO_ATTRIBUTES
  const own = INHERITABLE.flatMap((key) => {
    const value = dict.entries.get(key) ?? NULL
    return isNull(value) ? [] : [[key, value] as const]
  })
  if (parent !== undefined) checkParent(dict, parent, own.length < INHERITABLE.length && inherited.size > 0)
  return own.length === 0 ? inherited : new Map([...inherited, ...own])
}

function checkParent(dict: PdfDict, parent: PageNode, inherits: boolean): void {
  const upwards = dict.entries.get('Parent')
  if (upwards === undefined && !inherits) return
  if (upwards?.kind !== 'ref' || upwards.num !== parent.num) throw malformed('its page tree contradicts itself')
}
