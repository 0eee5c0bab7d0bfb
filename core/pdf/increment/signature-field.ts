// The signature field that the increment adds: field and widget in one object (ISO 32000-2, 12.7.5.5), hidden, or showing the seals
// where page content has to stay as it is.
import { allocate, type IncrementWriter, putObject, putStream } from './increment-writer.ts'
import type { Box } from '../read/page-boxes.ts'
import { drawingOf, namesOf, type Seal } from './place-forms.ts'
import type { PlannedPage } from '../plan/plan-page.ts'
import { formatNumber, formatText } from '../read/syntax.ts'

/** What one sees of the field, and on which page; no page means that it does not matter. */
export interface LinkView {
  readonly page: number | undefined
  /** The rectangle of the widget, and its entry for the appearance, in PDF syntax. */
  readonly rectangle: string
  readonly appearance: string
}

export const HIDDEN: LinkView = { page: undefined, rectangle: '[0 0 0 0]', appearance: '' }

/** Print and Locked (ISO 32000-2, 12.5.3). */
const FLAGS = 132
const NAME_PREFIX = 'Seal'

/** Writes an appearance that shows the seals. Throws Error when they are not all on one page. */
export function putAppearance(writer: IncrementWriter, seals: readonly Seal[]): LinkView {
  const [first] = seals
  if (first === undefined) return HIDDEN
  const { page } = first.placement
  if (seals.some(({ placement }) => placement.page !== page)) throw new Error('the seals of this document have to be on one page')
  const rectangle = `[${around(seals).map(formatNumber).join(' ')}]`
  const num = allocate(writer, 1)
  // The box equals the rectangle, so that the appearance is drawn in the user space of the page (12.5.5, algorithm 8).
  const resources = `/Resources<</XObject<<${namesOf(seals, NAME_PREFIX)}>>>>`
  putStream(writer, num, `/Type/XObject/Subtype/Form/BBox${rectangle}${resources}`, drawingOf(seals, NAME_PREFIX))
  return { page, rectangle, appearance: `/AP<</N ${num} 0 R>>` }
}

export interface Field {
  readonly widget: number
  readonly signature: number
  readonly sight: LinkView
  readonly page: PlannedPage
  readonly description: string
}

/** Writes the field with its one widget. */
export function writeSignatureField(writer: IncrementWriter, { widget, signature, sight, page, description }: Field): void {
  const names = `/T${formatText(writer.site.fieldName)}/TU${formatText(description)}`
  const place = `/F ${FLAGS}/Rect${sight.rectangle}/P ${page.num} ${page.gen} R${sight.appearance}`
  putObject(writer, widget, 0, `<</Type/Annot/Subtype/Widget/FT/Sig${names}/V ${signature} 0 R${place}>>`)
}

/** The smallest box around all seals, in the user space of the page. */
function around(seals: readonly Seal[]): Box {
  const boxes = seals.map(boxOf)
  return boxes.reduce((one, other) => [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ])
}

function boxOf({ form, placement }: Seal): Box {
  const [a, b, c, d, e, f] = placement.matrix
  const xs = [0, a * form.width, c * form.height, a * form.width + c * form.height]
  const ys = [0, b * form.width, d * form.height, b * form.width + d * form.height]
  return [e + Math.min(...xs), f + Math.min(...ys), e + Math.max(...xs), f + Math.max(...ys)]
}
