// Rewrites the page objects that get seals or the widget. Content is added around theirs, never into it. Inherited or shared resources are
// copied into the page, so that no other page changes.
import { allocate, type IncrementWriter, putObject, putStream } from './increment-writer.ts'
import { drawingOf, namesOf, type Seal } from './place-forms.ts'
import { plannedPage } from '../plan/seal-plan.ts'
import type { PlannedPage } from '../plan/plan-page.ts'
import { unpack } from '../plan/pack.ts'
import { bytesOf } from '../read/syntax.ts'

export interface PageChanges {
  /** The object number of the widget, and its page counted from 0. */
  readonly widget: number
  readonly widgetPage: number
  /** The seals to draw into page content. */
  readonly seals: readonly Seal[]
}

/** Throws RangeError for a seal on a page that is not in the plan. */
export function updatePages(writer: IncrementWriter, { widget, widgetPage, seals }: PageChanges): void {
  const sealed = Map.groupBy(seals, ({ placement }) => placement.page)
  const changed = new Set([...sealed.keys(), widgetPage])
  for (const index of changed) {
    const page = plannedPage(writer.plan, index)
    const pageSeals = sealed.get(index)
    const annots = index === widgetPage ? bytesOf('[', unpack(page.annots), `${widget} 0 R]`) : undefined
    if (annots !== undefined && page.annotsObject !== null) putAnnots(writer, page.annotsObject, annots)
    if (pageSeals === undefined && page.annotsObject !== null) continue
    const drawn = pageSeals === undefined ? unpack(page.replaceable) : putDrawing(writer, page, pageSeals)
    putObject(writer, page.num, page.gen, '<<', unpack(page.unchanged), drawn, annotsEntry(page, annots), '>>')
  }
}

function putAnnots(writer: IncrementWriter, { num, gen }: { num: number; gen: number }, annots: Buffer): void {
  // One array may also be the list of fields; then it already has the widget.
  if (!writer.objects.has(num)) putObject(writer, num, gen, annots)
}

function annotsEntry(page: PlannedPage, annots: Buffer | undefined): Buffer {
  if (page.annotsObject !== null) return bytesOf(`/Annots ${page.annotsObject.num} ${page.annotsObject.gen} R`)
  if (annots !== undefined) return bytesOf('/Annots ', annots)
  return page.annots === '' ? bytesOf() : bytesOf('/Annots [', unpack(page.annots), ']')
}

/** Writes the streams before and after the content; returns the entries Contents and Resources. */
function putDrawing(writer: IncrementWriter, { drawing, index }: PlannedPage, seals: readonly Seal[]): Buffer {
  if (drawing === null) throw new RangeError(`the plan has no drawing for page ${index}`)
  const before = allocate(writer, 2)
  const after = before + 1
  putStream(writer, before, '', drawing.prologue)
  putStream(writer, after, '', drawing.epilogue + drawingOf(seals, drawing.namePrefix))
  const names = bytesOf(unpack(drawing.xobjects), namesOf(seals, drawing.namePrefix))
  return bytesOf(
    bytesOf(`/Contents [${before} 0 R `, unpack(drawing.contents), `${after} 0 R]\n`),
    bytesOf('/Resources <<', unpack(drawing.resources), '/XObject <<', names, '>>>>\n'),
  )
}
