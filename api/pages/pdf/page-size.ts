// How large a page is shown and drawn. Kept apart from the drawing so that the limits of phones can be tested as numbers.

export interface Size {
  width: number
  height: number
}

// Safari on phones refuses canvases above 16,777,216 pixels and shows them empty.
const MAX_CANVAS_PIXELS = 16_000_000

export const ZOOM_STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const
/** Zoom is relative to the page filling the reader's width. */
export const FIT_WIDTH_ZOOM = 1

/** The next zoom step up or down, or the present one at either end. */
export function stepZoom(zoom: number, direction: 'in' | 'out'): number {
  const candidates = direction === 'in' ? ZOOM_STEPS.filter((step) => step > zoom) : ZOOM_STEPS.filter((step) => step < zoom)
  return (direction === 'in' ? candidates[0] : candidates.at(-1)) ?? zoom
}

/** CSS size of a page (given in PDF units) that fills `readerWidth` at zoom 1. */
export function shownSize(page: Size, readerWidth: number, zoom: number): Size {
  const width = Math.max(1, Math.floor(readerWidth * zoom))
  return { width, height: Math.max(1, Math.round((width * page.height) / page.width)) }
}

/** Device pixels per CSS pixel for a canvas of this CSS size: the screen's own ratio, less where the canvas would be too large. */
export function canvasScale(shown: Size, devicePixelRatio: number): number {
  const largest = Math.sqrt(MAX_CANVAS_PIXELS / (shown.width * shown.height))
  return Math.min(Math.max(devicePixelRatio, 1), largest)
}
