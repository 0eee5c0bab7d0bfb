// Finds the database and the installation key for a command: from the settings, or from the data folder of `npm start`.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { deriveInstallationKeys, type InstallationKeys, readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { z } from 'zod'
import { readConfig } from '../config.ts'

/** The database URL with the owner's rights. Throws when neither the settings nor a running `npm start` provide it. */
export async function findDatabaseUrl(): Promise<string> {
  const { databaseUrl, dataDir } = readConfig()
  if (databaseUrl) return databaseUrl.reveal()
  const file = path.resolve(dataDir, 'database-url')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new Error(
      `No database found: set SEALWRIGHT_DATABASE_URL, or run npm start, which uses the data folder ${path.resolve(dataDir)}.`,
      {
        cause: error,
      },
    )
  }
}

/** Runs `work` with a small connection pool of the system role and no time limit. */
export async function withDatabase<T>(work: (core: { database: Database }) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: await findDatabaseUrl(), pool: 2, role: 'sealwright_system', silenceSeconds: 0 })
  try {
    return await work({ database })
  } finally {
    await database.end({ timeout: 5 })
  }
}

const DevJson = z.object({ baseUrl: z.string() })

/** The public URL of the service: from the settings, from a running `npm start`, or from host and port. */
export async function findPublicUrl(): Promise<string> {
  const { publicUrl, dataDir, host, port } = readConfig()
  if (publicUrl) return publicUrl
  const running = await readFile(path.resolve(dataDir, 'dev.json'), 'utf8').catch(() => undefined)
  return running ? DevJson.parse(JSON.parse(running)).baseUrl : `http://${host}:${port}`
}

/** The keys of this installation. Throws when neither the settings nor the data folder provide them. */
export async function findInstallationKeys(): Promise<InstallationKeys> {
  const { installationKey, previousInstallationKey: previous, dataDir } = readConfig()
  const file = path.resolve(dataDir, 'keys', 'installation.key')
  const text = installationKey?.reveal() ?? (await readFile(file, 'utf8').catch(() => undefined))
  if (text === undefined)
    throw new Error(`No installation key found: set SEALWRIGHT_INSTALLATION_KEY, or run the command where ${file} exists.`)
  return deriveInstallationKeys(readInstallationKey(text, file), previous && Buffer.from(previous.reveal(), 'base64'))
}
