// Set-up of every test file: writes down how much processor time the file took, in its own process and in every process that it started and
// awaited. Servers that all files share are not in it. Unlike the time on the clock it is the same whatever else the machine does.
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    processorSeconds?: number
  }
}

/** Linux counts in hundredths of a second, whatever its kernel does inside. */
const TICKS_PER_SECOND = 100
const UTIME = 13

// A process that runs several files loads this module for each: the reading is kept where all of them see it.
const READING = Symbol.for('sealwright.test.processor-time')
const process = globalThis as { [READING]?: number }

// oxlint-disable-next-line no-empty-pattern -- vitest takes only a pattern as the first parameter
afterAll(({}, file) => {
  const total = processorSeconds()
  file.meta.processorSeconds = total - (process[READING] ?? 0)
  process[READING] = total
})

/** Of this process since its start, and of its children that have ended. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/\(.*\)/s, 'name')
    .split(' ')
  const ticks = fields.slice(UTIME, UTIME + 4).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}
