import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { cpuLimit } from '#core/threads/cpu-limit.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MACHINE = availableParallelism()
let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sealwright-cgroup-'))
})
afterEach(() => rm(root, { recursive: true }))

async function limitWith(files: Record<string, string>): Promise<number> {
  await mkdir(path.join(root, 'cpu'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text)
  return cpuLimit(root)
}

describe('the number of CPUs', () => {
  test.each([
    ['100000 100000\n', 1],
    ['50000 100000\n', 1],
    ['10000 100000\n', 1],
    ['150000 100000\n', Math.min(2, MACHINE)],
    ['6400000 100000\n', MACHINE],
    ['max 100000\n', MACHINE],
    ['', MACHINE],
    ['nonsense', MACHINE],
  ])('by control groups of version 2, cpu.max %j', async (text, expected) => {
    expect(await limitWith({ 'cpu.max': text })).toBe(expected)
  })

  test.each([
    ['100000', 1],
    ['25000', 1],
    ['-1', MACHINE],
  ])('by control groups of version 1, quota %s', async (quota, expected) => {
    expect(await limitWith({ 'cpu/cpu.cfs_quota_us': `${quota}\n`, 'cpu/cpu.cfs_period_us': '100000\n' })).toBe(expected)
  })

  test('without control groups is the machine’s', async () => {
    expect(await limitWith({})).toBe(MACHINE)
  })
})
