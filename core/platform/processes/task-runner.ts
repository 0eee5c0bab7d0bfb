// One process of a pool: gives it a file, waits for its answer, and kills it when the task takes too long or too much memory.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, link, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { describingErrors } from '#core/platform/storage/files/file-errors.ts'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'
import type { Outcome } from '#core/platform/threads/task-queue.ts'
import { limitMemory } from './memory-limit.ts'
import { type ProcessOptions, startProcess } from './start-process.ts'
import { OVER_LIMIT, type TaskReply } from './task-message.ts'

export interface RunnerOptions extends ProcessOptions {
  /** The folder of the files, in which each process gets a folder of its own. */
  readonly folder: string
  /** Resident memory of a process. */
  readonly memoryMebibytes: number
}

export interface TaskRunner<Task, Answer> {
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  isUsable(): boolean
  /** Throws SERVICE_UNAVAILABLE when the process ends for no reason of the task, the signal's reason, and an Error when the task throws. */
  run(file: string, task: Task, signal?: AbortSignal): Promise<Outcome<Answer>>
  stop(): Promise<void>
}

/** A start takes a quarter of a second of processor time; a loaded machine may need much longer. */
const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 2000
const RETRY_AFTER_SECONDS = 5
/** V8 aborts the process when the heap is full. */
const OUT_OF_MEMORY = 'SIGABRT'

/** Resolves when the process is ready. Throws when it ends before, or takes too long. */
export async function startRunner<Task extends object, Answer>(options: RunnerOptions): Promise<TaskRunner<Task, Answer>> {
  const folder = await describingErrors(() => mkdtemp(path.join(options.folder, 'process-')))
  const child = startProcess(options, folder)
  const { pid = 0 } = child
  const ended = endOfProcess(child)
    .then(() => rm(folder, { recursive: true, force: true }))
    .catch((error: Error) => process.emitWarning(error))
  // A killed process takes a while to end.
  const isUsable = (): boolean => child.connected && !child.killed && child.exitCode === null && child.signalCode === null
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await waitAtMost(ended, STOP_WITHIN_MS)
    child.kill('SIGKILL')
    await ended
  }
  const isReady = await hasStarted(once(child, 'message'), ended)
  if (!isReady || !isUsable()) {
    await stop()
    const cause = new Error(`A process that reads documents did not start (${child.signalCode ?? child.exitCode}).`)
    throw new DomainError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  keepAlive(child, false)
  return {
    pid,
    ended,
    isUsable,
    async run(file, task, signal) {
      const own = path.join(folder, 'document.pdf')
      keepAlive(child, true)
      try {
        const takeBack = await describingErrors(() => lend(file, own))
        const outcome = await ask<Answer>(child, { ...task, path: own }, options, signal)
        if (outcome.finished) await describingErrors(takeBack)
        return outcome
      } finally {
        keepAlive(child, false)
        await rm(own, { force: true })
      }
    },
    stop,
  }
}

/** Only busy processes keep this one alive. */
function keepAlive(child: ChildProcess, isBusy: boolean): void {
  for (const each of [child, child.channel]) {
    if (isBusy) each?.ref()
    else each?.unref()
  }
}

/** Shows the process this file as the only one: the same file under another name, or a copy on a file system without such names. Returns what brings
 *  changes back. */
async function lend(file: string, own: string): Promise<() => Promise<void>> {
  try {
    await link(file, own)
    return async () => {}
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw error
    await copyFile(file, own)
    return () => copyFile(own, file)
  }
}

/** Whether the first message has come; not when the process has ended before, or after 30 s. */
async function hasStarted(message: Promise<unknown>, ended: Promise<void>): Promise<boolean> {
  let isReady = false
  const ready = message.then(
    () => (isReady = true),
    () => false,
  )
  await waitAtMost(Promise.race([ready, ended]), START_WITHIN_MS)
  return isReady
}

async function endOfProcess(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve()).once('exit', () => resolve())
  })
}

async function ask<Answer>(
  child: ChildProcess,
  task: object,
  { limitSeconds, memoryMebibytes }: RunnerOptions,
  signal?: AbortSignal,
): Promise<Outcome<Answer>> {
  const replied = Promise.withResolvers<TaskReply<Answer> | undefined>()
  let isOverLimit = false
  const kill = (): boolean => child.kill('SIGKILL')
  const killOverLimit = (): void => {
    isOverLimit = kill()
  }
  const timer = setTimeout(killOverLimit, limitSeconds * 1000)
  const endLimit = limitMemory(child.pid ?? 0, memoryMebibytes, killOverLimit)
  const onExit = (): void => replied.resolve(undefined)
  signal?.addEventListener('abort', kill)
  child.once('message', replied.resolve).once('exit', onExit)
  try {
    signal?.throwIfAborted()
    child.send(task, (error) => error && onExit())
    const reply = await replied.promise
    signal?.throwIfAborted()
    if (reply === undefined) return endOf(isOverLimit || child.signalCode === OUT_OF_MEMORY || child.exitCode === OVER_LIMIT)
    if ('error' in reply) throw new Error(reply.error)
    return { finished: true, answer: reply.answer }
  } finally {
    clearTimeout(timer)
    endLimit()
    signal?.removeEventListener('abort', kill)
    child.off('message', replied.resolve).off('exit', onExit)
  }
}

function endOf(isOverLimit: boolean): { finished: false } {
  if (isOverLimit) return { finished: false }
  throw new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
