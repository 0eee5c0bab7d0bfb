// A server that never outlives its starter: it is stopped by handle, and exits when its starter is gone, even by kill -9. It has its own
// session, so that Ctrl-C only reaches the starter, which then stops it in order.
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'

/** The signal for a clean shutdown. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

export interface ServerProcessOptions {
  /** The server's whole environment; nothing is inherited. */
  env: Readonly<Record<string, string>>
  stopSignal: StopSignal
  /** Sent when the server still runs after `stopWithinMs`. */
  lastSignal: 'SIGQUIT' | 'SIGKILL'
  stopWithinMs: number
  /** Receives standard output and error; truncated at each start unless `keepLog` is set. */
  logFile: string
  keepLog?: boolean
  user?: { uid: number; gid: number }
  /** The working folder; absent: the starter's. */
  folder?: string
  /** Open descriptors that the server inherits as 3, 4, ... */
  descriptors?: readonly number[]
}

export interface ServerProcess {
  pid: number
  /** Settles with a description of how the server ended. */
  exited: Promise<string>
  /** Stops the server and waits for its exit; a second call waits for the same exit. */
  stop(): Promise<void>
  /** The last lines that it logged since its start. */
  logTail(lines?: number): string
}

// The shell execs the server, so the pid is the server's own. A watcher beside it reads from the starter: a line means that the server has
// ended, end of file that the starter has. It is forked twice so that it is not the server's child: Postgres treats the death of a child as
// a crash.
const watched = (descriptor: number, signal: StopSignal) =>
  `( (read -r line <&${descriptor} || kill -s ${signal.slice(3)} $$) & ); exec "$@" ${descriptor}<&-`

/** Starts `command`. Rejects when it cannot be executed. */
export async function startServerProcess(
  command: string,
  args: readonly string[],
  options: ServerProcessOptions,
): Promise<ServerProcess> {
  const log = openSync(options.logFile, options.keepLog ? 'a' : 'w', 0o600)
  const logStart = fstatSync(log).size
  const descriptors = options.descriptors ?? []
  const watchDescriptor = 3 + descriptors.length
  const child = spawn('/bin/sh', ['-c', watched(watchDescriptor, options.stopSignal), 'sh', command, ...args], {
    env: options.env,
    detached: true,
    ...(options.folder !== undefined && { cwd: options.folder }),
    stdio: ['ignore', log, log, ...descriptors, 'pipe'],
    ...options.user,
  })
  const watcher = child.stdio[watchDescriptor]
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      if (watcher && 'end' in watcher) watcher.end('\n')
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  }).finally(() => closeSync(log))

  const stop = async () => {
    child.kill(options.stopSignal)
    const last = setTimeout(() => child.kill(options.lastSignal), options.stopWithinMs)
    await exited
    clearTimeout(last)
  }
  let stopping: Promise<void> | undefined
  return {
    pid: child.pid ?? 0,
    exited,
    stop: () => (stopping ??= stop()),
    logTail: (lines = 5) =>
      readFileSync(options.logFile).subarray(logStart).toString().trimEnd().split('\n').slice(-lines).join('\n'),
  }
}
