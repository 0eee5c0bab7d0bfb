import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cpuLimit } from '#core/platform/threads/cpu-limit.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** More than any quota here, so that each takes effect. */
const MACHINE = 16
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-cgroup-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Files by their path below the mount; `membership` is the content of the membership file, absent for no such file. */
async function limitWith(files: Record<string, string>, membership?: string): Promise<number> {
  const sources = { machine: MACHINE, root: path.join(folder, 'mount'), membership: path.join(folder, 'membership') }
  if (membership !== undefined) await writeFile(sources.membership, membership)
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(sources.root, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return cpuLimit(sources)
}

describe('the number of CPUs', () => {
  test.each([
    ['100000 100000\n', 1],
    ['50000 100000\n', 1],
    ['10000 100000\n', 1],
    ['150000 100000\n', 2],
    ['200000 100000\n', 2],
    ['33333.3 10000\n', 4],
    ['6400000 100000\n', MACHINE],
    ['max 100000\n', MACHINE],
    ['100000\n', MACHINE],
    ['100000 0\n', MACHINE],
    ['0 100000\n', MACHINE],
    ['0 0\n', MACHINE],
    ['', MACHINE],
    ['nonsense', MACHINE],
  ])('by control groups of version 2, cpu.max %j', async (text, expected) => {
    expect(await limitWith({ 'cpu.max': text })).toBe(expected)
  })

  test.each([
    ['100000', 1],
    ['25000', 1],
    ['250000', 3],
    ['-1', MACHINE],
    ['nonsense', MACHINE],
  ])('by control groups of version 1, quota %s', async (quota, expected) => {
    expect(await limitWith({ 'cpu/cpu.cfs_quota_us': `${quota}\n`, 'cpu/cpu.cfs_period_us': '100000\n' })).toBe(expected)
  })

  test('without control groups is the machine’s', async () => {
    expect(await limitWith({})).toBe(MACHINE)
  })
})

describe('a process in a group below the mount', () => {
  const SERVICE = '0::/system.slice/sealwright.service\n'
  const OWN = 'system.slice/sealwright.service/cpu.max'
  const AROUND = 'system.slice/cpu.max'

  test.each<[string, Record<string, string>, number]>([
    ['its own', { [OWN]: '300000 100000', [AROUND]: 'max 100000' }, 3],
    ['one above it', { [OWN]: '300000 100000', [AROUND]: '200000 100000' }, 2],
    ['the root', { [OWN]: '300000 100000', 'cpu.max': '200000 100000' }, 2],
    ['no neighbour', { [OWN]: '300000 100000', 'system.slice/other.service/cpu.max': '100000 100000' }, 3],
  ])('has the CPUs of the lowest limit: %s', async (_, files, expected) => {
    expect(await limitWith(files, SERVICE)).toBe(expected)
  })

  test.each([
    ['5:memory:/other\n4:cpu,cpuacct:/system.slice/sealwright.service\n1:cpuset:/other\n0::/unified\n'],
    ['4:cpuacct,cpu:/system.slice/sealwright.service\n'],
    ['4:cpu:/system.slice/sealwright.service\n'],
  ])('also by version 1, which has a path for each controller: %j', async (membership) => {
    const group = (name: string, quota: number) => ({
      [`cpu/${name}/cpu.cfs_quota_us`]: `${quota}\n`,
      [`cpu/${name}/cpu.cfs_period_us`]: '100000\n',
    })
    const files = { ...group('system.slice', 300_000), ...group('system.slice/sealwright.service', 500_000) }
    expect(await limitWith({ ...files, ...group('other', 100_000) }, membership)).toBe(3)
  })

  test.each([
    ['a missing path, as in a container without a cgroup namespace', '0::/kubepods/pod1/sealwright\n'],
    ['a path above its namespace', '0::/../sealwright\n'],
    ['nonsense', 'nonsense\n'],
    ['nothing', ''],
  ])('has those of the root when its membership is %s', async (_, membership) => {
    await mkdir(path.join(folder, 'sealwright'))
    await writeFile(path.join(folder, 'sealwright', 'cpu.max'), '100000 100000')
    expect(await limitWith({ 'cpu.max': '200000 100000' }, membership)).toBe(2)
  })
})
