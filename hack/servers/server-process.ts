// A server that never outlives whoever started it: it is stopped by handle, and stops by itself when its starter is gone, even by kill -9.
// It runs in a session of its own, so that Ctrl-C in a terminal reaches the starter alone, which then stops it in order.
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'

/** The signal that asks a server to finish cleanly. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

export interface ServerProcessOptions {
  /** Whole environment of the server; nothing is inherited. */
  env: Readonly<Record<string, string>>
  stopSignal: StopSignal
  /** Sent when the server is still there after `stopWithinMs`. */
  lastSignal: 'SIGQUIT' | 'SIGKILL'
  stopWithinMs: number
  /** Takes standard output and error; begun anew at each start, unless it is kept. */
  logFile: string
  keepLog?: boolean
  user?: { uid: number; gid: number }
  /** Where it works; absent: where the starter does. */
  folder?: string
  /** Open descriptors that the server finds as 3, 4, ... */
  descriptors?: readonly number[]
}

export interface ServerProcess {
  pid: number
  /** Settles with a sentence about how the server ended. */
  exited: Promise<string>
  /** Asks the server to finish and waits until it has; a second call waits for the same end. */
  stop(): Promise<void>
  /** The last lines that it has logged since it was started. */
  logTail(lines?: number): string
}

// The shell turns into the server by exec, so the pid is the server's own. Beside it a watcher reads from its starter: a line says that the
// server has ended, end of file that nobody is there any more. It is nobody's child (forked twice): Postgres takes the death of a child for a crash.
const watched = (descriptor: number, signal: StopSignal) =>
  `( (read -r line <&${descriptor} || kill -s ${signal.slice(3)} $$) & ); exec "$@" ${descriptor}<&-`

/** Starts `command`. Rejects when it cannot be run at all. */
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
