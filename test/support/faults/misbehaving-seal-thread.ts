// Replaces the sealing thread: it misbehaves on documents that a folder lists, and seals all others.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runSealTask as seal, type SealTask } from '#core/seal/seal-thread.ts'
import { run } from './misbehaving-thread.ts'

const folder = new URL(import.meta.url).searchParams.get('folder') ?? ''

/** Seals, hangs without using the processor, or exhausts memory. */
export function runSealTask(task: SealTask): ReturnType<typeof seal> {
  const file = path.join(folder, createHash('sha256').update(task.original).digest('hex'))
  const behaviour = existsSync(file) && readFileSync(file, 'utf8')
  if (behaviour === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (behaviour === 'hoard') run('hoard')
  return seal(task)
}
