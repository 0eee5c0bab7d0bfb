// Makes the page tree of a loaded document regular: types, parents and counts follow from /Kids, which alone decide what viewers show.
import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef, PDFStream } from 'pdf-lib'
import { malformed, PdfError } from '../pdf-error.ts'

interface Branch {
  readonly ref: PDFRef
  readonly dict: PDFDict
  readonly waiting: PDFObject[]
  readonly kids: PDFRef[]
  pages: number
}

const KIDS = PDFName.of('Kids')
const COUNT = PDFName.of('Count')
const PARENT = PDFName.of('Parent')
const TYPE = PDFName.of('Type')
const PAGES = PDFName.of('Pages')
const PAGE = PDFName.of('Page')
const CONTENTS = PDFName.of('Contents')

/**
 * Rebuilds the tree in place. Throws DOCUMENT_INVALID when a page or a page's content is missing, so that a damaged file never loses a part silently. A /Count
 * that is only wrong is corrected: it promises more pages than there are, but every entry of the tree is a page, and no page is outside of the tree.
 */
export function rebuildPageTree(context: PDFContext, catalog: PDFDict): void {
  const root = catalog.get(PAGES)
  const dict = context.lookup(root)
  if (!(root instanceof PDFRef) || !(dict instanceof PDFDict)) throw malformed('it has no page tree')
  const promised = countOf(dict)
  const seen = new Set<PDFRef>([root])
  const { pages, blanks, missing } = rebuildBranches(context, branchOf(root, dict), seen)
  const isLost = promised > pages && (blanks > 0 || hasPageOutside(context, seen))
  if (missing > 0 || isLost) throw lostPages(Math.max(promised, pages + missing), pages)
}

interface Found {
  readonly pages: number
  /** Entries that are null, and pages that cannot be read. */
  readonly blanks: number
  readonly missing: number
}

/** Rebuilds the branches with the pages that can be read. */
function rebuildBranches(context: PDFContext, tree: Branch, seen: Set<PDFRef>): Found {
  const path = [tree]
  let blanks = 0
  let missing = 0
  for (let branch = path.at(-1); branch !== undefined; branch = path.at(-1)) {
    const kid = branch.waiting.pop()
    const node = context.lookup(kid)
    if (kid === undefined) {
      path.pop()
      close(context, branch, path.at(-1))
    } else if (node === PDFNull) blanks++
    else if (!(node instanceof PDFDict)) missing++
    else if (isLostBranch(node)) missing += Math.max(1, countOf(node))
    else {
      const below = add(context, branch, kid, node, seen)
      if (below !== undefined) path.push(below)
    }
  }
  return { pages: tree.pages, blanks, missing }
}

function lostPages(promised: number, pages: number): PdfError {
  const message = `The document is damaged: ${promised - pages} of ${promised} pages cannot be read.`
  return new PdfError('DOCUMENT_INVALID', `${message} Upload a complete copy of the file.`)
}

/** Not a page: its pages are lost with its /Kids. */
function isLostBranch(node: PDFDict): boolean {
  return node.has(COUNT) && !(node.lookup(KIDS) instanceof PDFArray) && node.lookup(TYPE) !== PAGE
}

function hasPageOutside(context: PDFContext, tree: ReadonlySet<PDFRef>): boolean {
  return context.enumerateIndirectObjects().some(([ref, value]) => {
    return value instanceof PDFDict && value.lookup(TYPE) === PAGE && !tree.has(ref)
  })
}

function countOf(branch: PDFDict): number {
  const count = branch.lookup(COUNT)
  return count instanceof PDFNumber ? count.asNumber() : 0
}

/** Adds a page; returns a branch, which is added when it is complete. */
function add(context: PDFContext, parent: Branch, kid: PDFObject, dict: PDFDict, seen: Set<PDFRef>): Branch | undefined {
  const isBranch = dict.lookup(KIDS) instanceof PDFArray
  if (dict.lookup(TYPE) === (isBranch ? PAGE : PAGES)) throw malformed('its page tree is damaged')
  let ref = kid instanceof PDFRef ? kid : context.register(dict)
  if (seen.has(ref)) {
    if (isBranch) throw malformed('its page tree uses a branch twice')
    ref = context.register(dict.clone(context))
  }
  seen.add(ref)
  const node = context.lookup(ref, PDFDict)
  node.set(PARENT, parent.ref)
  if (isBranch) return branchOf(ref, node)
  checkContents(context, node)
  node.set(TYPE, PAGE)
  parent.kids.push(ref)
  parent.pages++
  return undefined
}

function branchOf(ref: PDFRef, dict: PDFDict): Branch {
  const kids = dict.lookup(KIDS)
  return { ref, dict, waiting: kids instanceof PDFArray ? kids.asArray().toReversed() : [], kids: [], pages: 0 }
}

function close(context: PDFContext, { ref, dict, kids, pages }: Branch, parent: Branch | undefined): void {
  dict.set(TYPE, PAGES)
  dict.set(KIDS, context.obj(kids))
  dict.set(COUNT, PDFNumber.of(pages))
  if (parent === undefined || pages === 0) return
  parent.kids.push(ref)
  parent.pages += pages
}

function checkContents(context: PDFContext, page: PDFDict): void {
  const contents = page.lookup(CONTENTS)
  const parts = contents instanceof PDFArray ? contents.asArray() : [page.get(CONTENTS)]
  for (const part of parts) {
    if (part instanceof PDFRef && !(context.lookup(part) instanceof PDFStream))
      throw malformed('the content of a page is missing')
  }
}
