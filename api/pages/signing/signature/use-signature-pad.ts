// Connects signature_pad to a canvas: sharp on every screen, redrawn from its strokes when the width changes.
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useEffect, useRef } from 'react'
import SignaturePad from 'signature_pad'
import { scaleStrokes, type SignatureDraft } from './signature-draft.ts'
import { INK_COLOUR } from './signature-image.ts'

// A seal is printed, so even low-density screens export two pixels for one.
const MIN_SHARPNESS = 2

/** Draws the draft's strokes and adds each finished stroke to the draft. Returns a function that clears both. */
export function useSignaturePad(
  canvas: RefObject<HTMLCanvasElement | null>,
  draft: SignatureDraft,
  setDraft: Dispatch<SetStateAction<SignatureDraft>>,
): () => void {
  const latest = useRef(draft)
  const active = useRef<SignaturePad>(null)
  useEffect(() => {
    latest.current = draft
  }, [draft])

  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const pad = new SignaturePad(element, { penColor: INK_COLOUR, minWidth: 0.8, maxWidth: 3, minDistance: 2 })
    active.current = pad
    const save = () => setDraft((before) => ({ ...before, strokes: [...pad.toData()], fieldWidth: element.clientWidth }))
    pad.addEventListener('endStroke', save)
    const observer = new ResizeObserver(() => fitPad(pad, element, latest.current))
    observer.observe(element)
    return () => {
      observer.disconnect()
      pad.removeEventListener('endStroke', save)
      pad.off()
    }
  }, [canvas, setDraft])

  return useCallback(() => {
    active.current?.clear()
    setDraft((before) => ({ ...before, strokes: [] }))
  }, [setDraft])
}

// Resizes the canvas, which clears it, and redraws the strokes.
function fitPad(pad: SignaturePad, element: HTMLCanvasElement, draft: SignatureDraft): void {
  const { clientWidth, clientHeight } = element
  if (clientWidth === 0) return
  const sharpness = Math.max(window.devicePixelRatio, MIN_SHARPNESS)
  element.width = Math.round(clientWidth * sharpness)
  element.height = Math.round(clientHeight * sharpness)
  element.getContext('2d')?.scale(sharpness, sharpness)
  pad.fromData(draft.fieldWidth > 0 ? scaleStrokes(draft.strokes, clientWidth / draft.fieldWidth) : [])
}
