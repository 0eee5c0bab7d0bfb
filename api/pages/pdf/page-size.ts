// The displayed and drawn size of a page, separate from drawing so that the limits of phones can be unit-tested.

export interface Size {
  width: number
  height: number
}

/** An area of a page in PDF units from the lower left corner of the shown page. */
export interface PageMarker extends Size {
  page: number
  x: number
  y: number
}

/** Where an area is on its page, in parts of the page from its top left corner. */
export function markerPlace(
  { x, y, width, height }: PageMarker,
  page: Size,
): Record<'left' | 'top' | 'width' | 'height', string> {
  const part = (length: number, whole: number) => `${(100 * length) / whole}%`
  return {
    left: part(x, page.width),
    top: part(page.height - y - height, page.height),
    width: part(width, page.width),
    height: part(height, page.height),
  }
}

// Safari on phones rejects canvases above 16,777,216 pixels and shows them empty.
const MAX_CANVAS_PIXELS = 16_000_000

export const ZOOM_STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const
/** Zoom 1 means that the page fills the reader's width. */
export const FIT_WIDTH_ZOOM = 1

/** The next zoom step up or down, or the current one at either end. */
export function stepZoom(zoom: number, direction: 'in' | 'out'): number {
  const candidates = direction === 'in' ? ZOOM_STEPS.filter((step) => step > zoom) : ZOOM_STEPS.filter((step) => step < zoom)
  return (direction === 'in' ? candidates[0] : candidates.at(-1)) ?? zoom
}

/** CSS size of a page (given in PDF units) that fills `readerWidth` at zoom 1. */
export function shownSize(page: Size, readerWidth: number, zoom: number): Size {
  const width = Math.max(1, Math.floor(readerWidth * zoom))
  return { width, height: Math.max(1, Math.round((width * page.height) / page.width)) }
}

/** Device pixels per CSS pixel for a canvas of this CSS size: the screen's ratio, less if the canvas would be too large. */
export function canvasScale(shown: Size, devicePixelRatio: number): number {
  const largest = Math.sqrt(MAX_CANVAS_PIXELS / (shown.width * shown.height))
  return Math.min(Math.max(devicePixelRatio, 1), largest)
}
