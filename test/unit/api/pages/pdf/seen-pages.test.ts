import { describe, expect, test } from 'vitest'
import { isPageVisible, newSeenPages } from '../../../../../api/pages/pdf/seen-pages.ts'

const WINDOW = { top: 50, bottom: 650 }

test.each([
  ['half of a page', { top: 500, bottom: 800 }, true],
  ['less than half of a page', { top: 501, bottom: 801 }, false],
  ['a long page over half of the window', { top: 350, bottom: 5_000 }, true],
  ['a long page over less than half of the window', { top: 351, bottom: 5_000 }, false],
  ['a page under the toolbar', { top: -300, bottom: 50 }, false],
])('visible: %s', (_name, page, visible) => {
  expect(isPageVisible(page, WINDOW)).toBe(visible)
})

describe('a page is seen', () => {
  test('after one second, once', () => {
    const findSeen = newSeenPages()
    expect([0, 999, 1_000, 2_000].map((nowMs) => findSeen([1], nowMs))).toEqual([[], [], [1], []])
  })

  test('without a break', () => {
    const findSeen = newSeenPages()
    findSeen([1], 0)
    findSeen([2], 900)
    expect(findSeen([1, 2], 1_800)).toEqual([])
    expect(findSeen([1, 2], 2_800)).toEqual([1, 2])
  })
})
