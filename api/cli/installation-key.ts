// `sealwright installation-key rotate`
import { setTimeout as delay } from 'node:timers/promises'
import { rotateInstallationKey, type Rotation } from '#core/key-rotation/rotate-installation-key.ts'
import { KEY_FOLLOW_SECONDS } from '#core/limits.ts'
import { deriveKeySet, type KeySet } from '#core/platform/crypto/key-set.ts'
import { isOwner } from '#core/platform/postgres/check-owner.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import type { Command } from 'commander'
import { readConfig, readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { findDatabaseUrl } from './connect.ts'
import { print } from './print.ts'
import { readNamed } from './read-named.ts'

/** Twice the interval, and time for a slow answer. */
const PROCESSES_FOLLOW_MS = (2 * KEY_FOLLOW_SECONDS + 5) * 1_000

const NOT_OWNER =
  'Only the owner of the tables can replace the installation key, and the user of the database URL is another one. Name a file with the URL of the owner: --database-url-file.'

export function addInstallationKey(program: Command): void {
  program
    .command('installation-key')
    .description('replace the key that encrypts the secrets in the database')
    .command('rotate')
    .description('encrypt everything with SEALWRIGHT_INSTALLATION_KEY that SEALWRIGHT_PREVIOUS_INSTALLATION_KEY encrypted')
    .option(
      '--database-url-file <file>',
      'file with the database URL of the owner of the tables; /dev/stdin reads it from a pipe',
    )
    .option('--json', 'print one JSON value')
    .action(rotate)
}

async function rotate({ json, databaseUrlFile: file }: { json?: boolean; databaseUrlFile?: string }): Promise<void> {
  const { installationKey, previousInstallationKey: previous } = readConfig()
  if (!installationKey) throw new Error('SEALWRIGHT_INSTALLATION_KEY is not set: the new key.')
  const keyOf = (text: string): KeySet => deriveKeySet(Buffer.from(text, 'base64'))
  const pair = { current: keyOf(installationKey.reveal()), previous: previous && keyOf(previous.reveal()) }
  // The owner's, as for migrations: no process of the service can replace the key.
  const url = file === undefined ? await findDatabaseUrl() : await readUrl(file)
  const database = openDatabase({ url, pool: 2, silenceSeconds: 0 })
  try {
    if (!(await isOwner(database))) throw new Error(NOT_OWNER)
    const rotation = await rotateInstallationKey({ database }, pair, () => delay(PROCESSES_FOLLOW_MS))
    print(json, rotation, describe(rotation))
    if (rotation.unreadable.length > 0) process.exitCode = 1
  } finally {
    await database.end({ timeout: 5 })
  }
}

/** The URL is a secret: an error names the file only. */
async function readUrl(file: string): Promise<string> {
  const url = (await readNamed(resolveArgument(file, readEnvironment()))).toString('utf8').trim()
  if (!URL.canParse(url)) throw new Error(`${file} does not contain a database URL.`)
  return url
}

function describe({ switched, renewed, unreadable }: Rotation): string[] {
  return [
    switched ? 'the new key is in use' : 'the new key was in use before',
    `re-encrypted secrets and re-signed audit heads: ${renewed}`,
    ...unreadable.map(({ table, count }) => `NOT READABLE WITH EITHER KEY: ${count} in ${table}`),
    ...(renewed > 0 ? ['run this command again until it reports 0, then remove SEALWRIGHT_PREVIOUS_INSTALLATION_KEY'] : []),
  ]
}
