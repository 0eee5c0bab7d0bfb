// How a command finds the database and the installation's key: by their settings, or through the data folder of an embedded run.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { deriveInstallationKeys, type InstallationKeys, readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { z } from 'zod'
import { readConfig } from '../config.ts'

/** The URL with the owner's rights. Throws one sentence when neither the setting nor a running embedded service tells it. */
export async function findDatabaseUrl(): Promise<string> {
  const { databaseUrl, dataDir } = readConfig()
  if (databaseUrl) return databaseUrl.reveal()
  const file = path.resolve(dataDir, 'database-url')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new Error(
      `No database: set SEALWRIGHT_DATABASE_URL, or start the service on ${path.resolve(dataDir)} with npm start.`,
      {
        cause: error,
      },
    )
  }
}

/** Runs `work` with a small pool of the system role; it may take as long as it needs. */
export async function withDatabase<T>(work: (core: { database: Database }) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: await findDatabaseUrl(), pool: 2, role: 'sealwright_system', silenceSeconds: 0 })
  try {
    return await work({ database })
  } finally {
    await database.end({ timeout: 5 })
  }
}

const DevJson = z.object({ baseUrl: z.string() })

/** Where people reach the service: as set, as the embedded run on the data folder says, or as host and port would have it. */
export async function findPublicUrl(): Promise<string> {
  const { publicUrl, dataDir, host, port } = readConfig()
  if (publicUrl) return publicUrl
  const running = await readFile(path.resolve(dataDir, 'dev.json'), 'utf8').catch(() => undefined)
  return running ? DevJson.parse(JSON.parse(running)).baseUrl : `http://${host}:${port}`
}

/** The keys of this installation. Throws one sentence when neither the setting nor the data folder tells them. */
export async function findInstallationKeys(): Promise<InstallationKeys> {
  const { installationKey, dataDir } = readConfig()
  const file = path.resolve(dataDir, 'keys', 'installation.key')
  const text = installationKey?.reveal() ?? (await readFile(file, 'utf8').catch(() => undefined))
  if (text === undefined) throw new Error(`No installation key: set SEALWRIGHT_INSTALLATION_KEY, or run this beside ${file}.`)
  return deriveInstallationKeys(readInstallationKey(text, file))
}
