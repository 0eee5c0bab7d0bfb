import { expect, test } from 'vitest'
import { newSignatureDraft, scaleStrokes } from '../../../../../../api/pages/signing/signature/signature-draft.ts'

test('a new draft is empty and proposes to draw', () => {
  expect(newSignatureDraft()).toEqual({ way: 'draw', strokes: [], fieldWidth: 0, typedName: undefined })
})

test('strokes keep their shape in a field of another width, and the originals stay as drawn', () => {
  const stroke = {
    penColor: 'black',
    dotSize: 0,
    minWidth: 0.8,
    maxWidth: 3,
    velocityFilterWeight: 0.7,
    compositeOperation: 'source-over' as const,
    points: [{ x: 10, y: 20, pressure: 0.5, time: 1 }],
  }
  expect(scaleStrokes([stroke], 1.5)).toEqual([{ ...stroke, points: [{ x: 15, y: 30, pressure: 0.5, time: 1 }] }])
  expect(stroke.points[0]).toMatchObject({ x: 10, y: 20 })
})
