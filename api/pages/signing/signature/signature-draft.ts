// A signature as it is being made. It lives above the dialog and the steps, so closing, failing or confirming a second code does not
// cost it; it is never stored.
import type { PointGroup } from 'signature_pad'

export interface SignatureDraft {
  way: 'draw' | 'type'
  /** Strokes in CSS pixels of a field that was `fieldWidth` wide. */
  strokes: readonly PointGroup[]
  fieldWidth: number
  /** Undefined until the signer changes the proposed name. */
  typedName: string | undefined
}

/** Nothing drawn, and drawing as the first choice. */
export function newSignatureDraft(): SignatureDraft {
  return { way: 'draw', strokes: [], fieldWidth: 0, typedName: undefined }
}

/** The strokes as they look in a field of another width; the field keeps its proportions, so both axes scale alike. */
export function scaleStrokes(strokes: readonly PointGroup[], factor: number): PointGroup[] {
  return strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }))
}
