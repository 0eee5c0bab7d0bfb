// The signature field that the increment adds: field and widget in one object (ISO 32000-2, 12.7.5.5). It is hidden, or shows the seals
// where page content must not change.
import { allocate, type IncrementWriter, putObject, putStream } from './increment-writer.ts'
import type { Box } from '../read/page-boxes.ts'
import { drawingOf, namesOf, type Seal } from './place-forms.ts'
import type { PlannedPage } from '../plan/plan-page.ts'
import { formatNumber, formatText } from '../read/syntax.ts'

/** How the widget looks, and on which page; undefined where any page will do. */
export interface WidgetAppearance {
  readonly page: number | undefined
  /** The widget's rectangle and appearance entry, in PDF syntax. */
  readonly rectangle: string
  readonly appearance: string
}

export const HIDDEN: WidgetAppearance = { page: undefined, rectangle: '[0 0 0 0]', appearance: '' }

/** Print and Locked (ISO 32000-2, 12.5.3). */
const FLAGS = 132
const NAME_PREFIX = 'Seal'

/** Writes an appearance that shows the seals. Throws Error when they are on several pages. */
export function putAppearance(writer: IncrementWriter, seals: readonly Seal[]): WidgetAppearance {
  const [first] = seals
  if (first === undefined) return HIDDEN
  const { page } = first.placement
  if (seals.some(({ placement }) => placement.page !== page)) throw new Error('the seals of this document have to be on one page')
  const rectangle = `[${boundingBox(seals).map(formatNumber).join(' ')}]`
  const num = allocate(writer, 1)
  // The box equals the rectangle, so the appearance is drawn in the page's user space (12.5.5, algorithm 8).
  const resources = `/Resources<</XObject<<${namesOf(seals, NAME_PREFIX)}>>>>`
  putStream(writer, num, `/Type/XObject/Subtype/Form/BBox${rectangle}${resources}`, drawingOf(seals, NAME_PREFIX))
  return { page, rectangle, appearance: `/AP<</N ${num} 0 R>>` }
}

export interface Field {
  readonly widget: number
  readonly signature: number
  readonly widgetAppearance: WidgetAppearance
  readonly page: PlannedPage
  readonly description: string
  /** The /Lock entry, or nothing. */
  readonly lock: string
}

/** Writes the field with its one widget. */
export function writeSignatureField(
  writer: IncrementWriter,
  { widget, signature, widgetAppearance, page, description, lock }: Field,
): void {
  const names = `/T${formatText(writer.plan.fieldName)}/TU${formatText(description)}`
  const place = `/F ${FLAGS}/Rect${widgetAppearance.rectangle}/P ${page.num} ${page.gen} R${widgetAppearance.appearance}`
  putObject(writer, widget, 0, `<</Type/Annot/Subtype/Widget/FT/Sig${names}/V ${signature} 0 R${lock}${place}>>`)
}

/** The smallest box boundingBox all seals, in the page's user space. */
function boundingBox(seals: readonly Seal[]): Box {
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
