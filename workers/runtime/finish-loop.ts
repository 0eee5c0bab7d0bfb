// The end of a loop within the grace that a process has: running work gets a while, and what takes longer is left to others.
import type { Logger } from '#core/log.ts'
import type { Loop } from './loop.ts'

/** What is not finished by then is left: its lease ends, and another worker takes it up. */
const FINISH_WITHIN_MS = 10_000

/** Takes no new work, and resolves when running work is finished or has had its time. */
export async function finishLoop(name: string, loop: Loop, log: Logger): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), FINISH_WITHIN_MS)
  const outcome = await Promise.race([loop[Symbol.asyncDispose](), late]).finally(() => clearTimeout(timer))
  if (outcome === 'late') log.warn({ role: name, withinMs: FINISH_WITHIN_MS }, 'role.left_unfinished')
}
