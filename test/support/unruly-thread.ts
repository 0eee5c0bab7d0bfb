// A task for thread pools that misbehaves as its name says.
import { threadId } from 'node:worker_threads'

export type UnrulyTask = 'answer' | 'hang' | 'hoard' | 'fail' | 'exit' | { readonly busyMilliseconds: number }

export interface UnrulyAnswer {
  readonly thread: number
  /** The names of the environment that the thread sees. */
  readonly environment: readonly string[]
}

export function run(task: UnrulyTask): UnrulyAnswer {
  if (task === 'hang') for (;;);
  if (task === 'hoard') hoard()
  if (task === 'fail') throw new RangeError('the task failed')
  if (task === 'exit') process.exit(3)
  if (typeof task === 'object') stayBusy(task.busyMilliseconds)
  return { thread: threadId, environment: Object.keys(process.env) }
}

function hoard(): never {
  const kept: string[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => `${kept.length} ${index}`))
}

function stayBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
