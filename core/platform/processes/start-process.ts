// Starts a process for hostile input: without the environment of this one, which holds secrets, without its open files and sockets, and with Node's
// permission to read the code and one folder only. Node 24 denies no network connections; that is for network policies.
import { type ChildProcess, fork } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileCacheEnvironment, compileCacheFolder } from '#core/platform/threads/compile-cache.ts'

export interface ProcessOptions {
  /** The module that runs in the process and the name of the function that it exports for tasks. */
  readonly module: URL
  readonly functionName: string
  /** JavaScript heap of the process, enforced by V8. */
  readonly heapMebibytes: number
  /** Time limit of a task from its start; wall-clock time, so on a busy machine it means less CPU time. */
  readonly limitSeconds: number
}

const MAIN = new URL('task-process.ts', import.meta.url)
/** The code of the service and its packages; not the whole folder, in which `npm start` keeps its data. */
const CODE = ['core', 'node_modules', 'package.json'].map((name) => pathOf(new URL(`../../../${name}`, import.meta.url)))
/** Most documents are small. */
const YOUNG_MEBIBYTES = 4

/** What keeps the memory of a process small: options of V8, and settings of the C library. */
export function memoryOptions(heapMebibytes: number): { execArgv: string[]; env: Record<string, string> } {
  return {
    execArgv: [`--max-old-space-size=${heapMebibytes}`, `--max-semi-space-size=${YOUNG_MEBIBYTES}`],
    env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
  }
}

/** The process may read and write this folder, and nothing but the code besides. Until its first task it may also write the compile cache, which takes two
 *  thirds off its start. */
export function startProcess(
  { module, functionName, heapMebibytes, limitSeconds }: ProcessOptions,
  folder: string,
): ChildProcess {
  const memory = memoryOptions(heapMebibytes)
  const cache = compileCacheFolder()
  const cached = cache === undefined ? [] : [cache]
  return fork(MAIN, [module.href, functionName, String(limitSeconds * 1000)], {
    cwd: folder,
    // Nothing else of the environment is passed on.
    env: { ...memory.env, ...compileCacheEnvironment() },
    execArgv: [
      '--permission',
      ...[...CODE, ...cached, pathOf(module), folder].map((readable) => `--allow-fs-read=${readable}`),
      ...[...cached, folder].map((writable) => `--allow-fs-write=${writable}`),
      ...memory.execArgv,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Node compares real paths. */
function pathOf(url: URL): string {
  return realpathSync(fileURLToPath(url))
}
