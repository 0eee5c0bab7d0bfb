import { describe, expect, test } from 'vitest'
import { type Condition, setConditions } from '../../../../controller/runtime/conditions.ts'
import { microTime, secondTime } from '../../../../controller/runtime/wire-time.ts'

const BEFORE = '2026-11-25T00:00:00Z'
const now = new Date('2026-11-25T01:02:03.456Z')
const ready: Condition = { type: 'Ready', status: 'False', reason: 'A', message: 'a', lastTransitionTime: BEFORE }

describe('conditions', () => {
  test.each([
    { why: 'nothing changed', next: { status: 'False', reason: 'A', message: 'a' }, time: BEFORE },
    { why: 'reason and message changed', next: { status: 'False', reason: 'B', message: 'b' }, time: BEFORE },
    { why: 'the status changed', next: { status: 'True', reason: 'A', message: 'a' }, time: '2026-11-25T01:02:03Z' },
  ] as const)('have the time $time when $why', ({ next, time }) => {
    expect(setConditions([ready], [{ type: 'Ready', ...next }], now)).toEqual([
      { type: 'Ready', ...next, lastTransitionTime: time },
    ])
  })

  test('are in the order of the next ones, without those that are gone', () => {
    const next = ['B', 'Ready'].map((type) => ({
      type,
      status: 'True' as const,
      reason: 'R',
      message: '',
      observedGeneration: 2,
    }))
    const set = setConditions(
      [
        { ...ready, status: 'True' },
        { ...ready, type: 'Gone' },
      ],
      next,
      now,
    )
    expect(set.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['B', '2026-11-25T01:02:03Z'],
      ['Ready', BEFORE],
    ])
    expect(set.every(({ observedGeneration }) => observedGeneration === 2)).toBe(true)
  })
})

test('times have the form of their type: whole seconds, or six decimals', () => {
  expect([secondTime(now), microTime(now)]).toEqual(['2026-11-25T01:02:03Z', '2026-11-25T01:02:03.456000Z'])
})
