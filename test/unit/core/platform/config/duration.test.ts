import { atMost, durationSeconds } from '#core/platform/config/duration.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

describe('a duration', () => {
  test.each([
    ['1s', 1],
    ['300s', 300],
    ['5m', 300],
    ['72h', 259_200],
    ['90d', 7_776_000],
    ['0005m', 300],
    ['36500d', 3_153_600_000],
  ])('%s is %d seconds', (text, seconds) => {
    expect(durationSeconds.parse(text)).toBe(seconds)
  })

  test.each([
    '',
    '0s',
    '000d',
    '5',
    's',
    '5 m',
    ' 5m',
    '5m ',
    '5m\n',
    '1.5h',
    '-5m',
    '+5m',
    '5M',
    '5ms',
    '5w',
    '1h30m',
    '1e3s',
    '1000000000s',
    '٥m',
  ])('%j is invalid', (text) => {
    expect(durationSeconds.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be a duration such as 300s, 5m, 72h or 90d' },
    ])
  })

  test.each(['36501d', '999999999d', '876001h'])('%s is too long', (text) => {
    expect(durationSeconds.safeParse(text).error?.issues).toMatchObject([{ message: 'must be at most 36500d' }])
  })

  test('may have its own limit', () => {
    expect(atMost(2, 'h').parse('120m')).toBe(7_200)
    expect(atMost(2, 'h').safeParse('121m').error?.issues).toMatchObject([{ message: 'must be at most 2h' }])
  })

  test('is the same in every unit that can express it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (days) => {
        const seconds = ['d', 'h', 'm', 's'].map((unit, at) =>
          durationSeconds.parse(`${days * [1, 24, 1_440, 86_400][at]!}${unit}`),
        )
        expect(new Set(seconds)).toEqual(new Set([days * 86_400]))
      }),
    )
  })
})
