// Creates an embedded Postgres' data folder atomically, so that a start killed during the first initdb leaves nothing to repair.
import { spawn } from 'node:child_process'
import { chown, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PostgresUser } from './postgres-user.ts'

/** The superuser of an embedded cluster. */
export const SUPERUSER = 'postgres'

export interface ClusterOptions {
  dataDir: string
  password: string
  /** False disables every fsync: for data that may be lost. */
  durable: boolean
}

/** Creates the cluster if missing. Throws with initdb's own output when it fails. */
export async function ensureCluster(binaries: string, options: ClusterOptions, user: PostgresUser | undefined): Promise<void> {
  if (await stat(join(options.dataDir, 'PG_VERSION')).catch(() => undefined)) return
  const staging = `${options.dataDir}.new`
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  const passwordFile = join(staging, 'password')
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (user) for (const path of [staging, passwordFile]) await chown(path, user.uid, user.gid)
  await runInitdb(binaries, staging, options, user)
  await rename(join(staging, 'cluster'), options.dataDir)
  await rm(staging, { recursive: true })
}

/**
 * The path of the folder behind descriptor 3 for a program run as `user`: it is already open, so parent folders that only root may enter do
 * not matter.
 */
export function folderAsSeenBy(user: PostgresUser | undefined, folder: string): string {
  return user && process.platform === 'linux' ? '/proc/self/fd/3' : folder
}

async function runInitdb(
  binaries: string,
  staging: string,
  options: ClusterOptions,
  user: PostgresUser | undefined,
): Promise<void> {
  const folder = folderAsSeenBy(user, staging)
  const args = [
    `--pgdata=${folder}/cluster`,
    `--username=${SUPERUSER}`,
    `--pwfile=${folder}/password`,
    '--auth-host=scram-sha-256',
    '--auth-local=reject',
    '--encoding=UTF8',
    '--locale=C',
    // Unicode's rules for letters and case on every machine, independent of its C library.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.durable ? [] : ['--no-sync']),
  ]
  await using directory = await open(staging)
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  const child = spawn(join(binaries, 'bin/initdb'), args, {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', directory.fd],
    ...user,
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [code, errors] = await Promise.all([ended, child.stderr ? text(child.stderr) : ''])
  if (code !== 0) throw new Error(`initdb failed for ${options.dataDir}: ${errors.trim()}`)
}
