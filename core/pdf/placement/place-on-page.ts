// The boxes of all seals of one page: at markers and beside them, without covering anything where the page has room.
import { type PageSpace, placeInFreeSpace, placeOverInk, scalesUpTo } from './place-in-free-space.ts'
import { placeGrid } from './free-grid.ts'
import { type MarkerBox, coversText } from './marker-text.ts'
import { placeOverContent } from './place-over-content.ts'
import { SEAL_HEIGHT, SEAL_WIDTH, type SealBox } from './seal-box.ts'

export interface PlacedBox {
  readonly box: SealBox
  /** Whether it covers something other than the text of its marker. */
  readonly overlaps: boolean
}

/** Share of the page's area; the rest is for seals that find no room at their marker. */
const MAX_SHARE = 0.25

/** A box for each marker in order, then `unmarked` more. All are inside the page and apart. */
export function placeOnPage(
  space: PageSpace,
  { markers, unmarked }: { markers: readonly MarkerBox[]; unmarked: number },
): PlacedBox[] {
  const { view, free, texts } = space
  const sharing = markers.length + unmarked
  const largest = Math.min(1, Math.sqrt((view.width * view.height * MAX_SHARE) / (sharing * SEAL_WIDTH * SEAL_HEIGHT)))
  const marked = placeMarked(space, markers, largest) ?? placeOverContent(view, markers, sharing)
  const boxes = [...marked, ...placeGrid(space, unmarked, marked)]
  return boxes.map((box, index) => {
    return { box, overlaps: free.costOf(box) > 0 || texts.some((marker) => marker !== markers[index] && coversText(box, marker)) }
  })
}

/** Places seals in the free space at the markers, those without any over as little ink as possible. Undefined where markers are too close together. */
function placeMarked(space: PageSpace, markers: readonly MarkerBox[], largest: number): SealBox[] | undefined {
  const boxes = placeInFreeSpace(space, markers, largest)
  const smallest = scalesUpTo(largest).at(-1) ?? largest
  for (const [index, marker] of markers.entries()) {
    const taken = boxes.filter((box) => box !== undefined)
    boxes[index] ??= placeOverInk(space, marker, smallest, taken)
    if (boxes[index] === undefined) return undefined
  }
  return boxes.filter((box) => box !== undefined)
}
