// Renders two files and compares pixels: a seal may change nothing outside its box, and its box must show something.
import { type PageArea, type PixelBox, readPageGeometry, toPixelBox } from './page-geometry.ts'
import { runProgram } from '../clients/run-program.ts'

export type Renderer = 'poppler' | 'mupdf'

/** One page as 8-bit RGB, row by row from the top. */
export interface Picture {
  width: number
  height: number
  pixels: Buffer
}

export interface PixelVerdict {
  /** Pages of different size or number, or with changed pixels outside the areas: page -> number of such pixels. */
  stray: Map<number, number>
  areas: AreaVerdict[]
}

export interface AreaVerdict {
  /** The share of its pixels that changed, 0 to 1, and the number of colours it shows now. */
  changedShare: number
  colours: number
  /** Pixels that showed something before, without those at its edge and those of the replaced text. */
  inkBefore: number
}

const RESOLUTION = 72
/** Pixels along the edges of an area in which its neighbours may show. */
const EDGE = 2

/** The visible part (CropBox) of every page, including form fields and annotations. */
export async function renderPages(file: string, renderer: Renderer): Promise<Picture[]> {
  const resolution = String(RESOLUTION)
  const result =
    renderer === 'poppler'
      ? await runProgram('pdftoppm', ['-q', '-cropbox', '-r', resolution, file])
      : await runProgram('mutool', ['draw', '-q', '-F', 'ppm', '-r', resolution, '-o', '-', file])
  if (result.exitCode !== 0) throw new Error(`${renderer} cannot render the file: ${result.stderr.trim()}`)
  return [...splitPpm(result.stdout)]
}

/** Compares the file before and after sealing; `areas` may change. */
export async function comparePages(
  before: string,
  after: string,
  areas: readonly PageArea[],
  renderer: Renderer,
): Promise<PixelVerdict> {
  const [geometry, old, now] = await Promise.all([
    readPageGeometry(before),
    renderPages(before, renderer),
    renderPages(after, renderer),
  ])
  const boxes = areas.map((area) => ({
    page: area.page,
    box: boxOf(area),
    replaced: area.replaced && boxOf({ page: area.page, corners: area.replaced }),
  }))
  function boxOf(area: PageArea): PixelBox {
    const page = geometry[area.page]
    const picture = old[area.page]
    if (!page || !picture) throw new Error(`the file has no page ${area.page}`)
    return toPixelBox(area, page, picture.width, picture.height)
  }
  const stray = new Map<number, number>()
  for (let page = 0; page < Math.max(old.length, now.length); page++) {
    const pageBoxes = boxes.filter((entry) => entry.page === page).map((entry) => entry.box)
    const count = countStray(old[page], now[page], pageBoxes)
    if (count > 0) stray.set(page, count)
  }
  const describe = ({ page, box, replaced }: (typeof boxes)[number]): AreaVerdict => ({
    ...describeBox(old[page], now[page], box),
    inkBefore: countInk(old[page], box, replaced),
  })
  return { stray, areas: boxes.map(describe) }
}

/** The share of the box's pixels that differ, 0 to 1. */
export function shareOfChange(old: Picture, now: Picture, box: PixelBox): number {
  return describeBox(old, now, box).changedShare
}

function countStray(old: Picture | undefined, now: Picture | undefined, boxes: readonly PixelBox[]): number {
  if (!old || !now || old.width !== now.width || old.height !== now.height) return Infinity
  if (old.pixels.equals(now.pixels)) return 0
  let count = 0
  for (let row = 0; row < old.height; row++) {
    const from = row * old.width * 3
    const to = from + old.width * 3
    if (old.pixels.compare(now.pixels, from, to, from, to) !== 0) count += countStrayInRow(old, now, boxes, row)
  }
  return count
}

function countStrayInRow(old: Picture, now: Picture, boxes: readonly PixelBox[], row: number): number {
  let count = 0
  for (let column = 0; column < old.width; column++) {
    if (differs(old, now, row, column) && !boxes.some((box) => contains(box, row, column))) count++
  }
  return count
}

function describeBox(
  old: Picture | undefined,
  now: Picture | undefined,
  box: PixelBox,
): { changedShare: number; colours: number } {
  if (!old || !now) return { changedShare: 0, colours: 0 }
  let changed = 0
  const colours = new Set<number>()
  for (let row = box.top; row < box.bottom; row++) {
    for (let column = box.left; column < box.right; column++) {
      if (differs(old, now, row, column)) changed++
      colours.add(now.pixels.readUIntBE((row * now.width + column) * 3, 3))
    }
  }
  return { changedShare: changed / ((box.right - box.left) * (box.bottom - box.top)), colours: colours.size }
}

/** Pixels of another colour than the area's most frequent one. */
function countInk(picture: Picture | undefined, box: PixelBox, replaced: PixelBox | undefined): number {
  const counts = new Map<number, number>()
  for (let row = box.top + EDGE; row < box.bottom - EDGE; row++) {
    for (let column = box.left + EDGE; column < box.right - EDGE; column++) {
      if (!picture || (replaced && contains(replaced, row, column))) continue
      const colour = picture.pixels.readUIntBE((row * picture.width + column) * 3, 3)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  }
  const [background = 0, ...others] = [...counts.values()].toSorted((one, other) => other - one)
  return background === 0 ? Infinity : others.reduce((sum, count) => sum + count, 0)
}

function differs(old: Picture, now: Picture, row: number, column: number): boolean {
  const at = (row * old.width + column) * 3
  return old.pixels.readUIntBE(at, 3) !== now.pixels.readUIntBE(at, 3)
}

function contains(box: PixelBox, row: number, column: number): boolean {
  return row >= box.top && row < box.bottom && column >= box.left && column < box.right
}

// Both renderers write one binary PPM (P6) after the other: "P6\n<width> <height>\n255\n" and the samples; '#' lines are comments.
function* splitPpm(bytes: Buffer): Generator<Picture> {
  let at = 0
  while (at < bytes.length) {
    const head = /^P6\s+(?:#.*\n)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', at, at + 200))
    if (!head) throw new Error('the renderer wrote something else than PPM')
    const [width, height] = [Number(head[1]), Number(head[2])]
    const from = at + head[0].length
    at = from + width * height * 3
    yield { width, height, pixels: bytes.subarray(from, at) }
  }
}
