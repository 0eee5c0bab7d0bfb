// The boxes of all seals of one page: at markers and beside them, without covering anything where the page has room.
import { type Ground, placeInRoom, placeOverInk, scalesUpTo } from './place-in-free-space.ts'
import { placeGrid } from './free-grid.ts'
import { type Anchor, coversText } from './marker-text.ts'
import { placeAtMarkers } from './place-over-content.ts'
import { SEAL_HEIGHT, SEAL_WIDTH, type SealBox } from './seal-box.ts'

export interface PlacedBox {
  readonly box: SealBox
  /** Whether it covers something other than the text of its marker. */
  readonly overlaps: boolean
}

/** Of the page's area; the rest is for seals that find no room at their marker. */
const MAX_SHARE = 0.25

/** A box for each anchor in order, then `unmarked` more. All are inside the page and apart. */
export function placeOnPage(
  ground: Ground,
  { anchors, unmarked }: { anchors: readonly Anchor[]; unmarked: number },
): PlacedBox[] {
  const { view, room, texts } = ground
  const sharing = anchors.length + unmarked
  const largest = Math.min(1, Math.sqrt((view.width * view.height * MAX_SHARE) / (sharing * SEAL_WIDTH * SEAL_HEIGHT)))
  const marked = placeAnchors(ground, anchors, largest) ?? placeAtMarkers(view, anchors, sharing)
  const boxes = [...marked, ...placeGrid(ground, unmarked, marked)]
  return boxes.map((box, index) => {
    return { box, overlaps: room.costOf(box) > 0 || texts.some((anchor) => anchor !== anchors[index] && coversText(box, anchor)) }
  })
}

/** In the room at the markers; those without any over as little ink as possible. Undefined where markers are too close together. */
function placeAnchors(ground: Ground, anchors: readonly Anchor[], largest: number): SealBox[] | undefined {
  const boxes = placeInRoom(ground, anchors, largest)
  const smallest = scalesUpTo(largest).at(-1) ?? largest
  for (const [index, anchor] of anchors.entries()) {
    const taken = boxes.filter((box) => box !== undefined)
    boxes[index] ??= placeOverInk(ground, anchor, smallest, taken)
    if (boxes[index] === undefined) return undefined
  }
  return boxes.filter((box) => box !== undefined)
}
