// Limits the resident memory of another process, where Linux shows it. Polled every 100 ms: a process can exceed the limit until the next poll, and
// beyond it only the limit of the container holds.
import { readFile } from 'node:fs/promises'

const LOOK_EVERY_MS = 100
const KIBIBYTES = 1024

/** Calls `exceeded` when the process has more than this resident memory. Returns what ends that, also for a look that has begun. */
export function limitMemory(pid: number, mebibytes: number, exceeded: () => void): () => void {
  let isEnded = false
  const look = async (): Promise<void> => {
    if ((await residentKibibytes(pid)) > mebibytes * KIBIBYTES && !isEnded) exceeded()
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

/** 0 for a process that has ended, and on other systems than Linux. */
async function residentKibibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
}
