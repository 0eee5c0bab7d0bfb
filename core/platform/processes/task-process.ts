// The main module of a pool's processes: runs the tasks of one module, one at a time, for the process that started it. It holds no secret, and Node
// denies it all files but the code and its own folder (process-pool.ts).
import process from 'node:process'
import { runWithin, TimeLimitError } from '#core/platform/process/run-within.ts'
import { compileCacheFolder } from '#core/platform/threads/compile-cache.ts'
import { type FileTask, OVER_LIMIT, READY, type TaskReply } from './task-message.ts'

const [module = '', functionName = '', limitMilliseconds = ''] = process.argv.slice(2)

process.on('disconnect', () => process.exit())
// The terminal and the supervisor send these to all processes; the one that started this process decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const perform: unknown = Reflect.get(await import(module), functionName)
if (typeof perform !== 'function') throw new TypeError(`${module} exports no ${functionName}`)
giveUpCompileCache()
const answerOf = (task: FileTask): unknown => Reflect.apply(perform, undefined, [task])

process.on('message', (task: FileTask) => void reply(task))
process.send?.(READY)

async function reply(task: FileTask): Promise<void> {
  process.send?.(await answerTo(task))
}

/** A task must not change what other processes run. Node itself still reads the cache, and adds what it has compiled when the process ends. */
function giveUpCompileCache(): void {
  const folder = compileCacheFolder()
  if (folder === undefined) return
  // The types of Node have no `drop` yet.
  const drop: unknown = Reflect.get(process.permission, 'drop')
  if (typeof drop !== 'function') throw new TypeError('This version of Node cannot take the compile cache from a process.')
  Reflect.apply(drop, process.permission, ['fs.write', folder])
}

/** Without its owner, whose kill ends it usually, this process could not end while it computes: so it has the same time limit. */
async function answerTo(task: FileTask): Promise<TaskReply<unknown>> {
  try {
    return { answer: await runWithin(Number(limitMilliseconds), () => answerOf(task)) }
  } catch (error) {
    if (error instanceof TimeLimitError) process.exit(OVER_LIMIT)
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
