import type { TransferredResult } from '../../../../support/faults/transferring-thread.ts'
import { toTransferable } from '#core/platform/threads/transferable.ts'
import { openThreadPool } from '#core/platform/threads/thread-pool.ts'
import { expect, onTestFinished, test } from 'vitest'

test('memory that a thread transfers arrives complete and is detached in the thread', async () => {
  const pool = openThreadPool<number, TransferredResult>({
    pool: 'sealing',
    module: new URL('../../../../support/faults/transferring-thread.ts', import.meta.url),
    functionName: 'run',
    threads: 1,
    maxWaiting: 1,
    limitSeconds: 10,
    heapMebibytes: 64,
    bufferMebibytes: 64,
  })
  onTestFinished(() => pool.close())
  const bytes = new Uint8Array(1000).fill(7)
  expect(await pool.run(1000)).toEqual({ finished: true, answer: { bytes, left: undefined } })
  expect(await pool.run(1000)).toEqual({ finished: true, answer: { bytes, left: 0 } })
})

test.each([
  ['a part of a slab', Buffer.from('some text')],
  ['a part of a file', new Uint8Array(1000).subarray(10, 20)],
  ['shared memory', new Uint8Array(new SharedArrayBuffer(20))],
])('%s is copied before the transfer', (_, bytes) => {
  const own = toTransferable(bytes)
  expect(own).toEqual(new Uint8Array(bytes))
  expect(own.buffer).not.toBe(bytes.buffer)
  expect(own.buffer.byteLength).toBe(bytes.byteLength)
})

test('a buffer with its own memory is not', () => {
  const bytes = Buffer.allocUnsafeSlow(100_000)
  expect(toTransferable(bytes).buffer).toBe(bytes.buffer)
})
