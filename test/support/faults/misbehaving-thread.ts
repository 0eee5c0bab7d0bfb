// Thread pool tasks that misbehave as their names say.
import { threadId } from 'node:worker_threads'

const MEBIBYTE = 1024 * 1024

export type UnrulyTask =
  | 'answer'
  | 'hang'
  | 'hoard'
  | 'hoard buffers'
  | 'fail'
  | 'exit'
  | { readonly busyMilliseconds: number; readonly bufferMebibytes?: number }

export interface UnrulyAnswer {
  readonly thread: number
  /** The names of the thread's environment variables. */
  readonly environment: readonly string[]
}

export function run(task: UnrulyTask): UnrulyAnswer {
  if (task === 'hang') for (;;);
  if (task === 'hoard') hoard()
  if (task === 'hoard buffers') hoardBuffers()
  if (task === 'fail') throw new RangeError('the task failed')
  if (task === 'exit') process.exit(3)
  if (typeof task === 'object') stayBusy(task.busyMilliseconds, Buffer.alloc(MEBIBYTE * (task.bufferMebibytes ?? 0), 1))
  return { thread: threadId, environment: Object.keys(process.env) }
}

function hoard(): never {
  const kept: string[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => `${kept.length} ${index}`))
}

/** A quarter of a GiB per second, up to what a machine survives if the limit fails. */
function hoardBuffers(): void {
  const kept: Buffer[] = []
  while (kept.length < 600) {
    kept.push(Buffer.alloc(2 * MEBIBYTE, 1))
    stayBusy(8, kept)
  }
}

function stayBusy(milliseconds: number, held: readonly Uint8Array[] | Uint8Array): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end && held.length >= 0);
}
