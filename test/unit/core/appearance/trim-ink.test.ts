// The drawn signature in the seal: on white, without margin, no larger than print resolution needs.
import { describe, expect, it } from 'vitest'
import { hasInk, trimInk } from '#core/appearance/trim-ink.ts'

type Pixel = [number, number, number, number]
const CLEAR: Pixel = [0, 0, 0, 0]
const WHITE: Pixel = [255, 255, 255, 255]
const INK: Pixel = [10, 20, 90, 255]

function image(rows: Pixel[][]) {
  return { width: rows[0]!.length, height: rows.length, pixels: Buffer.from(rows.flat(2)) }
}

function blankRows(width: number, height: number, fill: Pixel): Pixel[][] {
  return Array.from({ length: height }, () => Array.from({ length: width }, () => fill))
}

describe('trimming', () => {
  it.each([
    ['transparent', CLEAR],
    ['white', WHITE],
    ['slightly grey', [250, 249, 251, 255] as Pixel],
  ])('cuts a %s margin away', (_, margin) => {
    const rows = blankRows(9, 7, margin)
    rows[2]![3] = INK
    rows[4]![5] = INK
    const ink = trimInk(image(rows), 100, 100)!
    expect([ink.width, ink.height]).toEqual([3, 3])
    expect([...ink.rgb.subarray(0, 3)]).toEqual([10, 20, 90])
    expect([...ink.rgb.subarray(-3)]).toEqual([10, 20, 90])
  })

  it('finds no ink in a blank image', () => {
    expect(trimInk(image(blankRows(5, 5, CLEAR)), 10, 10)).toBeUndefined()
    expect(trimInk(image(blankRows(5, 5, WHITE)), 10, 10)).toBeUndefined()
  })

  it.each([0, 10, 11, 12, 13, 128, 255])('finds ink at the opacity of %i exactly where a check does', (opacity) => {
    const spot = image([[CLEAR, [0, 0, 0, opacity]]])
    expect(hasInk(spot)).toBe(trimInk(spot, 10, 10) !== undefined)
  })

  it('flattens half-transparent ink on white', () => {
    expect([...trimInk(image([[[0, 0, 0, 51]]]), 10, 10)!.rgb]).toEqual([204, 204, 204])
  })

  it('scales down to the limit, keeps proportions and means', () => {
    const rows = blankRows(400, 100, INK)
    for (const row of rows) for (let x = 0; x < row.length; x += 2) row[x] = WHITE
    rows[0]![0] = INK
    const ink = trimInk(image(rows), 100, 100)!
    expect([ink.width, ink.height]).toEqual([100, 25])
    expect(ink.rgb[(30 * 100 + 50) % ink.rgb.length]).toBeGreaterThan(100)
    expect([...ink.rgb.subarray(-3)]).toEqual([133, 138, 173])
  })

  it('never scales up', () => {
    expect(trimInk(image(blankRows(2, 2, INK)), 100, 100)).toMatchObject({ width: 2, height: 2 })
  })

  it('keeps a very long thin line', () => {
    expect(trimInk(image(blankRows(2000, 1, INK)), 440, 96)).toMatchObject({ width: 440, height: 1 })
  })
})
