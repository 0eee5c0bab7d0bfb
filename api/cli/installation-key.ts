// `sealwright installation-key rotate`
import { setTimeout as delay } from 'node:timers/promises'
import { rotateInstallationKey, type Rotation } from '#core/key-rotation/rotate-installation-key.ts'
import { KEY_FOLLOW_SECONDS } from '#core/limits.ts'
import { deriveKeySet, type KeySet } from '#core/platform/crypto/key-set.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { findDatabaseUrl } from './connect.ts'
import { print } from './print.ts'

/** Twice the interval, and time for a slow answer. */
const PROCESSES_FOLLOW_MS = (2 * KEY_FOLLOW_SECONDS + 5) * 1_000

export function addInstallationKey(program: Command): void {
  program
    .command('installation-key')
    .description('replace the key that encrypts the secrets in the database')
    .command('rotate')
    .description('encrypt everything with SEALWRIGHT_INSTALLATION_KEY that SEALWRIGHT_PREVIOUS_INSTALLATION_KEY encrypted')
    .option('--json', 'print one JSON value')
    .action(rotate)
}

async function rotate({ json }: { json?: boolean }): Promise<void> {
  const { installationKey, previousInstallationKey: previous } = readConfig()
  if (!installationKey) throw new Error('SEALWRIGHT_INSTALLATION_KEY is not set: the new key.')
  const keyOf = (text: string): KeySet => deriveKeySet(Buffer.from(text, 'base64'))
  const pair = { current: keyOf(installationKey.reveal()), previous: previous && keyOf(previous.reveal()) }
  // The owner's, as for migrations: no process of the service can replace the key.
  const database = openDatabase({ url: await findDatabaseUrl(), pool: 2, silenceSeconds: 0 })
  try {
    const rotation = await rotateInstallationKey({ database }, pair, () => delay(PROCESSES_FOLLOW_MS))
    print(json, rotation, describe(rotation))
    if (rotation.unreadable.length > 0) process.exitCode = 1
  } finally {
    await database.end({ timeout: 5 })
  }
}

function describe({ switched, renewed, unreadable }: Rotation): string[] {
  return [
    switched ? 'the new key is in use' : 'the new key was in use before',
    `secrets and heads of the audit trail that were made again: ${renewed}`,
    ...unreadable.map(({ table, count }) => `NOT READABLE WITH EITHER KEY: ${count} in ${table}`),
    ...(renewed > 0
      ? ['run this command again until it makes none again, then remove SEALWRIGHT_PREVIOUS_INSTALLATION_KEY']
      : []),
  ]
}
