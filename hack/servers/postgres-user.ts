// The user that runs Postgres, which refuses root. Under root: the data folder's owner, or the system user postgres, created if missing.
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface PostgresUser {
  uid: number
  gid: number
}

const USER = 'postgres'
const run = promisify(execFile)

/** The user for the cluster in `dataDir`; undefined: the current user. Throws when root can neither find nor create one. */
export async function postgresUser(dataDir: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(dataDir).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await findUser()) ?? (await makeUser())
}

async function findUser(): Promise<PostgresUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', USER]), run('id', ['-g', USER])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function makeUser(): Promise<PostgresUser> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      USER,
    ])
  } catch (cause) {
    // A concurrent start may have created it.
    const made = await findUser()
    if (made) return made
    throw new Error(`Postgres does not run as root, and the user ${USER} could not be created. Start as an ordinary user.`, {
      cause,
    })
  }
  const made = await findUser()
  if (!made) throw new Error(`The user ${USER} was created but cannot be found.`)
  return made
}
