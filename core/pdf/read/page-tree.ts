// Walks the page tree (ISO 32000-2, 7.7.3) without recursion: all pages in order, or down to one. A tree with loops, shared nodes or wrong
// counts is refused, because viewers would number its pages differently.
import { malformed, tooComplex } from '../pdf-error.ts'
import { childNode, type PageAttributes, type PageNode, type PageObjects, rootNode } from './page-node.ts'
import type { PdfDict } from './value.ts'

export interface PdfPage {
  /** Counted from 0. */
  readonly index: number
  readonly num: number
  readonly gen: number
  readonly dict: PdfDict
  /** The page's own or inherited Resources, MediaBox, CropBox and Rotate. */
  readonly attributes: PageAttributes
}

interface Level {
  readonly node: PageNode
  readonly firstPage: number
  nextKid: number
}

/** The page count that the root of the tree declares; at least one. */
export function countPages(file: PageObjects): number {
  return rootNode(file).count
}

/** Every page in order. Throws PdfError as soon as the tree proves wrong. */
export function* walkPages(file: PageObjects): Generator<PdfPage> {
  const root = rootNode(file)
  const seen = new Set([root.num])
  const path: Level[] = [{ node: root, firstPage: 0, nextKid: 0 }]
  let index = 0
  for (let level = path.at(-1); level !== undefined; level = path.at(-1)) {
    const kid = level.node.kids?.[level.nextKid++]
    if (kid === undefined) {
      if (index - level.firstPage !== level.node.count) throw malformed('its page tree counts its pages wrongly')
      path.pop()
      continue
    }
    const child = childNode(file, kid, level.node)
    if (seen.has(child.num)) throw malformed('its page tree uses a page or a branch twice')
    seen.add(child.num)
    if (child.kids !== undefined) {
      path.push({ node: child, firstPage: index, nextKid: 0 })
      continue
    }
    if (index >= file.budget.limits.pages) throw tooComplex(`it has more than ${file.budget.limits.pages} pages`)
    yield pageOf(child, index++)
  }
}

/** The page with this index, found by the counts of the branches. Throws RangeError for a missing page. */
export function findPage(file: PageObjects, index: number): PdfPage {
  let node = rootNode(file)
  if (!(Number.isInteger(index) && index >= 0 && index < node.count)) throw new RangeError(`there is no page ${index}`)
  // The depth limit ends a loop.
  for (let left = index; node.kids !== undefined;) {
    const step = left < node.count / 2 ? forward(file, node, left) : backward(file, node, left)
    node = step.child
    left = step.left
  }
  return pageOf(node, index)
}

interface Step {
  readonly child: PageNode
  /** The index of the wanted page within the child. */
  readonly left: number
}

function forward(file: PageObjects, node: PageNode, wanted: number): Step {
  let left = wanted
  for (const kid of node.kids ?? []) {
    const child = childNode(file, kid, node)
    if (left < child.count) return { child, left }
    left -= child.count
  }
  throw malformed('its page tree counts its pages wrongly')
}

function backward(file: PageObjects, node: PageNode, wanted: number): Step {
  let first = node.count
  for (const kid of node.kids?.toReversed() ?? []) {
    const child = childNode(file, kid, node)
    first -= child.count
    if (wanted >= first) return { child, left: wanted - first }
  }
  throw malformed('its page tree counts its pages wrongly')
}

function pageOf({ num, gen, dict, attributes }: PageNode, index: number): PdfPage {
  return { index, num, gen, dict, attributes }
}
