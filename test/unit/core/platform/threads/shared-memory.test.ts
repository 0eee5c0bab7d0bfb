import { describe, expect, test } from 'vitest'
import { openSharedMemory } from '#core/platform/threads/shared-memory.ts'

const MEBIBYTE = 1024 * 1024
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('shared memory', () => {
  test('has the requested size, and is shared', async () => {
    const memory = openSharedMemory(MEBIBYTE)
    for (const bytes of [1, 70_000, 65_536])
      expect(await memory.hold(bytes, async (piece) => [piece.length, piece.buffer instanceof SharedArrayBuffer])).toEqual([
        bytes,
        true,
      ])
  })

  test('is reused by the next work of a similar size, and never by two at a time', async () => {
    const memory = openSharedMemory(MEBIBYTE)
    const bufferOf = (bytes: number) => memory.hold(bytes, async ({ buffer }) => buffer)
    const first = await bufferOf(100_000)
    expect(await bufferOf(120_000)).toBe(first)
    const both = await memory.hold(100_000, async ({ buffer }) => [buffer, await bufferOf(100_000)])
    expect(both[0]).toBe(first)
    expect(both[1]).not.toBe(first)
  })

  test('of failed work is not reused, because a thread may still use it', async () => {
    const memory = openSharedMemory(MEBIBYTE)
    let failed: unknown
    const failing = memory.hold(100_000, async ({ buffer }) => {
      failed = buffer
      throw new Error('lost')
    })
    await expect(failing).rejects.toThrow('lost')
    expect(await memory.hold(100_000, async ({ buffer }) => buffer)).not.toBe(failed)
  })

  test('admits pieces while there is room, in order of arrival, and an oversized one alone', async () => {
    const memory = openSharedMemory(3 * MEBIBYTE)
    const inside: string[] = []
    const ends = new Map<string, () => void>()
    const start = (name: string, mebibytes: number) =>
      memory.hold(mebibytes * MEBIBYTE, async () => {
        inside.push(name)
        await new Promise<void>((end) => ends.set(name, end))
        inside.splice(inside.indexOf(name), 1)
      })
    const all = [start('a', 1), start('b', 1), start('large', 10), start('c', 1)]
    await turn()
    expect(inside).toEqual(['a', 'b'])
    ends.get('a')?.()
    await turn()
    expect(inside).toEqual(['b'])
    ends.get('b')?.()
    await turn()
    expect(inside).toEqual(['large'])
    ends.get('large')?.()
    await turn()
    expect(inside).toEqual(['c'])
    ends.get('c')?.()
    await Promise.all(all)
  })
})
