// The frame of a process, run as one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const TALKS = `
import { setTimeout as pause } from 'node:timers/promises'
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
await runProcess(listenForShutdown({ withParent: false }), async () => {
  for (let line = 0; line < 50; line++) {
    console.log('x'.repeat(1000))
    await pause(10)
  }
})`

test('continues when the reader of its output is gone', async () => {
  const talking = spawn(process.execPath, ['--input-type=module', '--eval', TALKS], { stdio: ['ignore', 'pipe', 'pipe'] })
  const words = text(talking.stderr)
  await once(talking.stdout, 'readable')
  talking.stdout.destroy()
  expect(await once(talking, 'exit')).toEqual([0, null])
  expect(await words).toBe('')
})

const NEVER_ENDS = `
import { mock } from 'node:test'
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
mock.timers.enable({ apis: ['setTimeout'] })
setInterval(() => {}, 1000)
await runProcess(listenForShutdown({ withParent: false }), async (stop) => {
  process.kill(process.pid, 'SIGTERM')
  await stop.requested
  await new Promise(setImmediate)
  mock.timers.tick(24_999)
  console.log('still at it')
  mock.timers.tick(1)
  console.log('left')
})`

test('abandons work that has not ended 25 s after the stop, and says so', async () => {
  const stopping = spawn(process.execPath, ['--input-type=module', '--eval', NEVER_ENDS], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, words] = [text(stopping.stdout), text(stopping.stderr)]
  expect(await once(stopping, 'exit')).toEqual([1, null])
  expect(await said).toBe('still at it\n')
  expect(await words).toBe('Shutdown did not finish within 25 s; other workers take over the unfinished jobs.\n')
})
