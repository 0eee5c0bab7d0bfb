import { beforeEach, describe, expect, test } from 'vitest'
import { NETWORK_FAILURE, type Outcome } from '../../../../../../api/pages/http/failure.ts'
import { newViewRecorder, type ViewRecorder } from '../../../../../../api/pages/signing/documents/view-recorder.ts'

let calls: string[]
let nowMs: number
let answer: Outcome<unknown>
let recorder: ViewRecorder

beforeEach(() => {
  calls = []
  nowMs = 5_000
  answer = { ok: true, value: undefined }
  recorder = newViewRecorder({
    opened: async () => {
      calls.push('opened')
      return answer
    },
    closed: (durationMs) => void calls.push(`closed ${durationMs}`),
    nowMs: () => nowMs,
  })
})

describe('the record of a view', () => {
  test('is one pair, however many documents are shown, with the time between', async () => {
    await recorder.open()
    await recorder.open()
    nowMs += 1_234.6
    recorder.close()
    recorder.close()
    expect(calls).toEqual(['opened', 'closed 1235'])
  })

  test('is a new pair after coming back', async () => {
    await recorder.open()
    recorder.close()
    await recorder.open()
    expect(calls).toEqual(['opened', 'closed 0', 'opened'])
  })

  test('has no close without an open', () => {
    recorder.close()
    expect(calls).toEqual([])
  })

  test('never claims a duration the service refuses', async () => {
    await recorder.open()
    nowMs += 3 * 86_400_000
    recorder.close()
    await recorder.open()
    nowMs -= 10_000
    recorder.close()
    expect(calls.filter((call) => call.startsWith('closed'))).toEqual(['closed 86400000', 'closed 0'])
  })
})

describe('before signing', () => {
  test('a view that is on record is not recorded again', async () => {
    await recorder.open()
    expect(await recorder.ensureRecorded()).toBeUndefined()
    expect(calls).toEqual(['opened'])
  })

  test('a view whose record failed is recorded then, or its failure reported', async () => {
    answer = { ok: false, failure: NETWORK_FAILURE }
    expect(await recorder.open()).toBe(NETWORK_FAILURE)
    expect(await recorder.ensureRecorded()).toBe(NETWORK_FAILURE)
    answer = { ok: true, value: undefined }
    expect(await recorder.ensureRecorded()).toBeUndefined()
    expect(calls).toEqual(['opened', 'opened', 'opened'])
  })

  test('a record the service does not know is repeated', async () => {
    await recorder.open()
    recorder.forgetRecord()
    await recorder.ensureRecorded()
    expect(calls).toEqual(['opened', 'opened'])
  })
})
