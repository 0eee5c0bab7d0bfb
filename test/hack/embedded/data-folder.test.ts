// A data folder belongs to one run at a time, and an ended run releases it, even before its parent reaps it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder } from '../../../hack/embedded/data-folder.ts'

const HOLDER = fileURLToPath(new URL('hold-data-folder.ts', import.meta.url))
/** Its process becomes one that never reaps its child. */
const NEGLECT = '"$0" "$@" & echo $!; exec sleep 1000'

let folder: string
let parent: ChildProcess
let holder: number

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-folder-'))
  parent = spawn('/bin/sh', ['-c', NEGLECT, process.execPath, HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(parent.stdout!)[Symbol.asyncIterator]()
  holder = Number((await lines.next()).value)
  expect((await lines.next()).value).toBe('held')
})
afterEach(async () => {
  if (await stateOf(holder)) process.kill(holder, 'SIGKILL')
  const ended = once(parent, 'exit')
  parent.kill('SIGKILL')
  await ended
  await rm(folder, { recursive: true })
})

async function stateOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return /^State:\t(\w)/m.exec(status)?.[1]
}

test('a folder that another run has is refused, also while that run is stopped', async () => {
  const refusal = `Sealwright is already running with the data folder ${folder} (process ${holder}).`
  await expect(openDataFolder(folder)).rejects.toThrow(refusal)
  process.kill(holder, 'SIGSTOP')
  await expect.poll(() => stateOf(holder)).toBe('T')
  await expect(openDataFolder(folder)).rejects.toThrow(refusal)
})

test("a killed run's folder is free, also before the run is reaped", async () => {
  process.kill(holder, 'SIGKILL')
  await expect.poll(() => stateOf(holder)).toBe('Z')
  await using own = await openDataFolder(folder)
  expect(own.root).toBe(folder)
})
