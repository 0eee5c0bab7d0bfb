// The signature being created. It lives above the dialog and the steps, so that closing, a failure or a second code does not
// lose it; it is never stored.
import type { PointGroup } from 'signature_pad'

export interface SignatureDraft {
  way: 'draw' | 'type'
  /** Strokes in CSS pixels of a field of `fieldWidth`. */
  strokes: readonly PointGroup[]
  fieldWidth: number
  /** Undefined until the signer edits the suggested name. */
  typedName: string | undefined
}

/** Nothing drawn, drawing selected. */
export function newSignatureDraft(): SignatureDraft {
  return { way: 'draw', strokes: [], fieldWidth: 0, typedName: undefined }
}

/** The strokes scaled to a field of another width; the aspect ratio is fixed, so both axes scale alike. */
export function scaleStrokes(strokes: readonly PointGroup[], factor: number): PointGroup[] {
  return strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }))
}
