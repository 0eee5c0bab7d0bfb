// The data folder of the embedded run: its files, and a lock so that only one run uses it.
import { open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { processState } from '../servers/process-state.ts'

export interface DataFolder extends AsyncDisposable {
  root: string
  postgres: string
  spool: string
  keys: string
  devJson: string
  /** The running database's address, for commands. */
  databaseUrl: string
  /** Created at the first start and reused: organisation, credential, passwords. */
  identity: string
  log: string
}

/** Locks the folder for this process. Throws a one-line message when another run uses it or it is unusable. */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  return await inDataDir(() => openFolder(path.resolve(folder)))
}

async function openFolder(root: string): Promise<DataFolder> {
  await ensureDirectory(root)
  const lock = path.join(root, 'run.lock')
  await takeLock(lock, root)
  const spool = path.join(root, 'spool')
  await rm(spool, { recursive: true, force: true }) // uploads of a killed run were never acknowledged
  for (const each of ['spool', 'keys']) await ensureDirectory(path.join(root, each))
  return {
    root,
    postgres: path.join(root, 'postgres'),
    spool,
    keys: path.join(root, 'keys'),
    devJson: path.join(root, 'dev.json'),
    databaseUrl: path.join(root, 'database-url'),
    identity: path.join(root, 'identity.json'),
    log: path.join(root, 'server.log'),
    [Symbol.asyncDispose]: () => rm(lock, { force: true }),
  }
}

async function takeLock(lock: string, root: string): Promise<void> {
  const mine = JSON.stringify({ pid: process.pid, startedAt: await processState(process.pid) })
  for (let tries = 0; tries < 2; tries++) {
    try {
      await using file = await open(lock, 'wx', 0o600)
      await file.writeFile(mine)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const holder = await readHolder(lock)
    if (holder) throw new Error(`Sealwright is already running with the data folder ${root} (process ${holder}).`)
    await rm(lock, { force: true })
  }
  throw new Error(`Another process is starting with the data folder ${root}. Try again.`)
}

/** The pid that holds the lock, or undefined when that process has ended. */
async function readHolder(lock: string): Promise<number | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '')
  try {
    const held: { pid: number; startedAt: string } = JSON.parse(text)
    const startedAt = await processState(held.pid)
    return startedAt !== undefined && startedAt === held.startedAt ? held.pid : undefined
  } catch {
    return undefined // an empty or partial lock: its writer was killed between two system calls
  }
}
