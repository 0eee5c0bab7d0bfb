import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { canvasScale, markerPlace, shownSize, stepZoom, ZOOM_STEPS } from '../../../../../api/pages/pdf/page-size.ts'

const A4 = { width: 595, height: 842 }

describe('a shown page', () => {
  test('fills the width of the reader and keeps its proportions', () => {
    expect(shownSize(A4, 390, 1)).toEqual({ width: 390, height: 552 })
    expect(shownSize(A4, 390, 2)).toEqual({ width: 780, height: 1104 })
  })

  test('is never without size, however flat', () => {
    expect(shownSize({ width: 14_400, height: 3 }, 1, 0.5)).toEqual({ width: 1, height: 1 })
  })
})

test('an outline is placed from the top left corner, in parts of the page', () => {
  const marker = { page: 1, x: 50, y: 100, width: 150, height: 40 }
  expect(markerPlace(marker, { width: 500, height: 800 })).toEqual({ left: '10%', top: '82.5%', width: '30%', height: '5%' })
})

describe('the sharpness of a canvas', () => {
  test('is that of the screen', () => {
    expect(canvasScale({ width: 390, height: 552 }, 3)).toBe(3)
    expect(canvasScale({ width: 390, height: 552 }, 0.8)).toBe(1)
  })

  test('stays below what phones can hold, for every page', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 20_000 }), height: fc.integer({ min: 1, max: 20_000 }) })
    fc.assert(
      fc.property(size, fc.double({ min: 0.5, max: 4, noNaN: true }), (shown, ratio) => {
        const scale = canvasScale(shown, ratio)
        return shown.width * scale * shown.height * scale <= 16_777_216
      }),
    )
  })
})

describe('zoom', () => {
  test('goes through all steps and stays at either end', () => {
    const up = ZOOM_STEPS.map((zoom) => stepZoom(zoom, 'in'))
    expect(up).toEqual([...ZOOM_STEPS.slice(1), ZOOM_STEPS.at(-1)])
    const down = ZOOM_STEPS.map((zoom) => stepZoom(zoom, 'out'))
    expect(down).toEqual([ZOOM_STEPS[0], ...ZOOM_STEPS.slice(0, -1)])
  })
})
