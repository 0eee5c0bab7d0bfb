import { describe, expect, test } from 'vitest'
import { type CopyStatus, nextPollDelayMs } from '../../../../../../api/pages/signing/signed/signed-copy-poll.ts'

function delays(status: CopyStatus): number[] {
  const all: number[] = []
  for (let asked = 1; asked < 1000; asked++) {
    const delay = nextPollDelayMs(status, asked)
    if (delay === undefined) return all
    all.push(delay)
  }
  throw new Error('it never ends')
}

describe('asking for the signed copies', () => {
  test.each(['sealing', 'waiting', 'ready'] as const)('while %s comes in growing intervals that end', (status) => {
    const all = delays(status)
    expect(all.length).toBeGreaterThan(5)
    expect(all).toEqual(all.toSorted((one, other) => one - other))
  })

  test('is quick while they are being sealed', () => {
    expect(nextPollDelayMs('sealing', 1)).toBe(1_000)
  })

  test('stays far below the 60 requests a minute a link may make', () => {
    for (const status of ['sealing', 'waiting'] as const) {
      let elapsedMs = 0
      const inFirstMinute = delays(status).filter((delay) => (elapsedMs += delay) <= 60_000)
      expect(inFirstMinute.length).toBeLessThan(15)
    }
  })

  test('renews ready download addresses before their hour is over', () => {
    expect(nextPollDelayMs('ready', 1)).toBeLessThan(3_600_000)
  })

  test('is over once they are archived', () => {
    expect(nextPollDelayMs('archived', 1)).toBeUndefined()
  })
})
