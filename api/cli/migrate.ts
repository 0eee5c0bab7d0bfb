// `sealwright migrate`
import { ensureKeySecret } from '#core/installation/key-secret.ts'
import { durationSeconds } from '#core/platform/config/duration.ts'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { findDatabaseUrl, withDatabase } from './connect.ts'
import { ownNamespace } from './own-namespace.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

interface MigrateOptions {
  wait?: number
  installationKeySecret?: string
  json?: boolean
}

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('apply pending database migrations')
    .option('--wait <duration>', 'wait for a database that does not answer yet, such as 3m', parsed(durationSeconds))
    .option('--installation-key-secret <name>', 'create this Kubernetes Secret with a new installation key, if it is missing')
    .option('--json', 'print one JSON value')
    .action(run)
}

async function run({ wait, installationKeySecret: name, json }: MigrateOptions): Promise<void> {
  const applied = await migrateWithin(wait)
  const secret = name === undefined ? undefined : await ensureSecret(name)
  const lines = applied.length > 0 ? applied.map((each) => `applied ${each}`) : ['no pending migrations']
  print(json, { applied, ...(secret && { secret }) }, [
    ...lines,
    ...(secret ? [`installation key: ${secret.created ? 'created' : 'found'} Secret ${secret.namespace}/${secret.name}`] : []),
  ])
}

/** Tries once, or for that many seconds. A container's first process ignores signals without a listener, so a stop has to end the wait. */
async function migrateWithin(seconds: number | undefined): Promise<string[]> {
  const url = await findDatabaseUrl()
  if (seconds === undefined) return migrate(url)
  let last = 'Stopped.'
  const say = (sentence: string): void => {
    if (sentence !== last) process.stderr.write(`${sentence}\n`)
    last = sentence
  }
  const signal = AbortSignal.any([listenForShutdown({ withParent: false }).signal, AbortSignal.timeout(seconds * 1_000)])
  try {
    const log = { report: (sentence: string) => (say(sentence), true), recovered: () => {} }
    return await retryStart(() => migrate(url, { signal, onWait: say }), log, signal)
  } catch (error) {
    throw error === signal.reason ? new Error(last, { cause: error }) : error
  }
}

async function ensureSecret(name: string): Promise<{ namespace: string; name: string; created: boolean }> {
  const settings = readConfig()
  const namespace = ownNamespace(settings)
  await using kube = await openKube(settings)
  const { created } = await withDatabase((core) => ensureKeySecret(core, kube.requests, { namespace, name }))
  return { namespace, name, created }
}
