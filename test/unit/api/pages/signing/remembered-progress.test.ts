import { beforeEach, describe, expect, test } from 'vitest'
import { type ProgressStorage, recallProgress, rememberProgress } from '../../../../../api/pages/signing/remembered-progress.ts'

const ADA = { envelopeId: 'envelope-1', signerEmail: 'ada@example.test' }
const BEN = { envelopeId: 'envelope-1', signerEmail: 'ben@example.test' }
const CHALLENGE = { challengeId: 'challenge-1', expiresAtMs: 600_000, resendAtMs: 60_000 }

let kept: Map<string, string>
let storage: ProgressStorage

beforeEach(() => {
  kept = new Map()
  storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
})

describe('remembered progress', () => {
  test('survives a reload', () => {
    rememberProgress(storage, ADA, { openedIds: ['one'] })
    rememberProgress(storage, ADA, { challenge: CHALLENGE })
    expect(recallProgress(storage, ADA)).toEqual({ openedIds: ['one'], challenge: CHALLENGE })
  })

  test('belongs to one signer, also when two use the same tab', () => {
    rememberProgress(storage, ADA, { openedIds: ['one'] })
    expect(recallProgress(storage, BEN)).toEqual({ openedIds: [] })
  })

  test('forgets a used challenge and keeps the rest', () => {
    rememberProgress(storage, ADA, { openedIds: ['one'], challenge: CHALLENGE })
    rememberProgress(storage, ADA, { challenge: undefined })
    expect(recallProgress(storage, ADA)).toEqual({ openedIds: ['one'] })
  })

  test.each(['not json', 'null', '"text"', '{"openedIds":3}'])('is nothing when the tab holds %s', (value) => {
    kept.set('sealwright.ceremony.envelope-1.ada@example.test', value)
    expect(recallProgress(storage, ADA)).toEqual({ openedIds: [] })
  })

  test('does without a storage that refuses', () => {
    const refusing: ProgressStorage = {
      getItem: () => {
        throw new Error('denied')
      },
      setItem: () => {
        throw new Error('denied')
      },
    }
    expect(() => rememberProgress(refusing, ADA, { openedIds: ['one'] })).not.toThrow()
    expect(recallProgress(refusing, ADA)).toEqual({ openedIds: [] })
  })
})
