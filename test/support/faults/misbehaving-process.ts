// Tasks of a process pool that misbehave as their names say, or try what a process may not do.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

export type UnrulyProcessTask =
  | 'answer'
  | 'hang'
  | 'hoard'
  | 'fill'
  | 'hoard buffers'
  | 'fail'
  | 'exit'
  | 'write'
  | 'spawn'
  | 'thread'
  | { readonly read: string }
  | { readonly write: string }

const MEBIBYTE = 1024 * 1024
/** What the task `fill` keeps before it takes some time: such a process does not end at once. */
export const FILLED_MEBIBYTES = 300
const kept: Buffer[] = []

const MISCHIEF: Partial<Record<string, (file: string) => unknown>> = {
  hang() {
    for (;;);
  },
  hoard: () => hoard(() => Array.from({ length: 100_000 }, (_, index) => String(index))),
  'hoard buffers': () => hoard(() => Buffer.alloc(2 * MEBIBYTE, 1)),
  fill() {
    kept.push(Buffer.alloc(FILLED_MEBIBYTES * MEBIBYTE, 1))
    for (const until = Date.now() + 300; Date.now() < until;);
  },
  fail() {
    throw new RangeError('the task failed')
  },
  exit: () => process.exit(3),
  spawn: () => execFileSync(process.execPath, ['--version'], { encoding: 'utf8' }),
  thread: () => new Worker('1', { eval: true }).threadId,
  write: (file) => writeFileSync(file, 'changed'),
}

/** Answers with its process, its environment, the files that it sees and the text of its own. */
export function run({ path: file, task }: { path: string; task: UnrulyProcessTask }): unknown {
  if (typeof task === 'object') return 'read' in task ? readFileSync(task.read, 'utf8') : writeFileSync(task.write, 'changed')
  MISCHIEF[task]?.(file)
  return {
    pid: process.pid,
    environment: Object.keys(process.env),
    files: readdirSync(path.dirname(file)),
    text: readFileSync(file, 'utf8'),
  }
}

function hoard(make: () => unknown): never {
  const kept: unknown[] = []
  for (;;) kept.push(make())
}
