// The frame of a process, run as one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const TALKS = `
import { setTimeout as pause } from 'node:timers/promises'
import { runProcess } from '#core/process/run-process.ts'
await runProcess({ withParent: false }, async () => {
  for (let line = 0; line < 50; line++) {
    console.log('x'.repeat(1000))
    await pause(10)
  }
})`

test('goes on when nobody reads what it writes', async () => {
  const talking = spawn(process.execPath, ['--input-type=module', '--eval', TALKS], { stdio: ['ignore', 'pipe', 'pipe'] })
  const words = text(talking.stderr)
  await once(talking.stdout, 'readable')
  talking.stdout.destroy()
  expect(await once(talking, 'exit')).toEqual([0, null])
  expect(await words).toBe('')
})
