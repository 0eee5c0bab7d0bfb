// Draws tables over any number of pages: a row is never split, and the table head repeats on every page.
import type { Canvas } from './sheets.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE, type TextStyle } from './style.ts'
import type { TypeSetter } from './text-block.ts'

export interface Column {
  title: string
  /** Points, including the gap to the next column. */
  width: number
}

/** One text of a cell; the texts are stacked. */
export interface CellText {
  text: string
  style: TextStyle
  maxLines?: number
}
export type Cell = readonly CellText[]

const GAP = 10
/** Distance from the edge of the table to its first text. */
const INSET = 5
const PADDING = 5
const HEAD_HEIGHT = 16

/** Consumes rows one by one, so that a long table is never laid out as a whole. */
export async function drawTable(canvas: Canvas, columns: readonly Column[], rows: Iterable<readonly Cell[]>): Promise<void> {
  const { sheets, setter } = canvas
  let isFirst = true
  for (const row of rows) {
    const cells = await Promise.all(columns.map((column, index) => layOutCell(setter, row[index] ?? [], column.width - GAP)))
    const height = Math.max(...cells.map((blocks) => blocks.reduce((sum, block) => sum + block.height, 0))) + 2 * PADDING
    const isNewPage = sheets.ensure(height + (isFirst ? HEAD_HEIGHT : 0))
    if (isFirst || isNewPage) await drawHead(canvas, columns)
    isFirst = false
    let x: number = PAGE.left + INSET
    for (const [index, blocks] of cells.entries()) {
      let top = sheets.y - PADDING
      for (const block of blocks) {
        await sheets.text(block, x, top)
        top -= block.height
      }
      x += columns[index]?.width ?? 0
    }
    sheets.skip(height)
    sheets.fill(COLOUR.line, { x: PAGE.left, top: sheets.y, width: CONTENT_WIDTH, height: 0.5 })
  }
}

function layOutCell(setter: TypeSetter, cell: Cell, width: number) {
  return Promise.all(cell.map(({ text, style, maxLines }) => setter.layOut(text, style, width, maxLines)))
}

async function drawHead({ sheets, setter }: Canvas, columns: readonly Column[]): Promise<void> {
  sheets.fill(COLOUR.tint, { x: PAGE.left, top: sheets.y, width: CONTENT_WIDTH, height: HEAD_HEIGHT })
  let x: number = PAGE.left + INSET
  for (const { title, width } of columns) {
    await sheets.text(await setter.layOut(title, STYLE.label, width), x, sheets.y - 4)
    x += width
  }
  sheets.skip(HEAD_HEIGHT)
}
