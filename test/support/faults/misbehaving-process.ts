// Tasks of a process pool that misbehave as their names say, or try what a process may not do.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

export type UnrulyProcessTask =
  | 'answer'
  | 'hang'
  | 'hoard'
  | 'hoard buffers'
  | 'fail'
  | 'exit'
  | 'write'
  | 'spawn'
  | 'thread'
  | { readonly read: string }

const MEBIBYTE = 1024 * 1024

/** Answers with its process, its environment and the text of its file. */
export function run({ path: file, task }: { path: string; task: UnrulyProcessTask }): unknown {
  if (task === 'hang') for (;;);
  if (task === 'hoard') hoard(() => Array.from({ length: 100_000 }, (_, index) => String(index)))
  if (task === 'hoard buffers') hoard(() => Buffer.alloc(2 * MEBIBYTE, 1))
  if (task === 'fail') throw new RangeError('the task failed')
  if (task === 'exit') process.exit(3)
  if (task === 'spawn') return execFileSync(process.execPath, ['--version'], { encoding: 'utf8' })
  if (task === 'thread') return new Worker('1', { eval: true }).threadId
  if (task === 'write') writeFileSync(file, 'changed')
  if (typeof task === 'object') return readFileSync(task.read, 'utf8')
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
