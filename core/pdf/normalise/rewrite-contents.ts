// New content for pages and drawings that are damaged: without the operators that viewers treat in different ways, and without a token that has no end.
import { BEGIN_IMAGE, contentError, findFlaw, IMAGE_DATA, newFlawContext } from '../inspect/content-flaws.ts'
import { newContentReader, nextOperator, readContent, skipInlineImage } from '../inspect/content-reader.ts'
import { newContentDecoder, pageContent } from '../inspect/decode-content.ts'
import { openWorkCheck } from '../inspect/drawing-work.ts'
import { hasOpenComment } from '../inspect/faces/content-parts.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { newRepair } from './repair-operator.ts'

export interface NewContents {
  /** New contents by the numbers of streams. */
  readonly streams: ReadonlyMap<number, Buffer>
  /** New contents by the numbers of pages, instead of all their content. */
  readonly pages: ReadonlyMap<number, Buffer>
}

/** Reads the content of all pages and what they draw. Throws DOCUMENT_INVALID for content with words that only some viewers show. */
export function rewriteContents(file: PdfFile): NewContents {
  const damaged = new Set<number>()
  const damagedPages = new Set<number>()
  const check = openWorkCheck(file, (flaw, page, drawing) => {
    if (flaw.kind === 'words') throw contentError(flaw, page, drawing)
    if (drawing === undefined) damagedPages.add(page.num)
    else damaged.add(drawing)
  })
  const decoder = newContentDecoder(file)
  const pages = new Map<number, Buffer>()
  for (const page of file.pages()) {
    const content = pageContent(file, decoder, page.dict.entries.get('Contents'))
    check(page, content.bytes)
    if (damagedPages.has(page.num) || hasOpenComment(content)) pages.set(page.num, rewriteContent(content.bytes))
  }
  const streams = new Map<number, Buffer>()
  for (const num of damaged) {
    const stream = file.get(num)
    const content = stream.kind === 'stream' ? decoder.decode(stream) : undefined
    if (content !== undefined) streams.set(num, rewriteContent(content))
  }
  return { streams, pages }
}

const LINE_END = Buffer.from('\n')

/** The content without the operators that cannot be repaired, and without an unfinished end. */
export function rewriteContent(content: Buffer): Buffer {
  const reader = newContentReader()
  const repair = newRepair()
  const parts: Buffer[] = []
  /** Where the unchanged content begins that is not in `parts` yet, and where the last operator and the last image end and begin. */
  let kept = 0
  let end = 0
  let image = 0
  let isImageOpen = false
  const context = newFlawContext()
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0; operator = nextOperator(reader)) {
    if (operator === BEGIN_IMAGE) image = end
    const isFlawed = findFlaw(reader, operator, context) !== undefined
    if (operator === IMAGE_DATA) skipInlineImage(reader)
    isImageOpen = operator === BEGIN_IMAGE || reader.operands.unclosed
    if (isFlawed) {
      parts.push(content.subarray(kept, end), LINE_END, repair(reader, operator), LINE_END)
      kept = reader.position
    }
    end = reader.position
  }
  parts.push(content.subarray(kept, Math.max(kept, isImageOpen ? image : end)), LINE_END)
  return Buffer.concat(parts)
}
