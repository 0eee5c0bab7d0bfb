// `sealwright backup verify | accept`
import type { CustomResources } from '#core/backup/list-shown-versions.ts'
import { type BackupVerdict, verifyBackup } from '#core/backup/verify-backup.ts'
import type { SystemCore } from '#core/context.ts'
import { acceptRestore } from '#core/installation/accept-restore.ts'
import { kubernetesIsConfigured, namespaceOf, openKube } from '#core/platform/kubernetes/open-kube.ts'
import type { Command } from 'commander'
import { readConfig, readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { openStorage } from './open-storage.ts'
import { describeBackup, toBackupJson } from './describe-backup.ts'
import { print } from './print.ts'
import { openProblemList } from './problem-list.ts'

export function addBackup(program: Command): void {
  const backup = program.command('backup').description('check a restored installation')
  backup
    .command('verify')
    .description('compare database, object store and custom resources with each other; changes nothing')
    .option('--content', 'also read all documents and compare their SHA-256')
    .option('--problems <file>', 'write every problem into this file, as lines of JSON')
    .option('--without-kubernetes', 'do not compare the custom resources')
    .option('--json', 'print one JSON value')
    .action(verify)
  backup
    .command('accept')
    .description('after a restore: go on with what is there, and delete objects without a row again')
    .option('--json', 'print one JSON value')
    .action(accept)
}

interface VerifyOptions {
  content?: boolean
  problems?: string
  withoutKubernetes?: true
  json?: boolean
}

async function verify({ content = false, problems: file, withoutKubernetes, json }: VerifyOptions): Promise<void> {
  const list = openProblemList(file === undefined ? undefined : resolveArgument(file, readEnvironment()))
  let verdict: BackupVerdict
  try {
    verdict = await withStorage((core) =>
      withCustomResources(withoutKubernetes, (customResources) =>
        verifyBackup(core, { content, customResources, found: list.add }),
      ),
    )
  } finally {
    await list.close()
  }
  print(json, toBackupJson(verdict, list), describeBackup(verdict, list))
  if (list.counts.size > 0) process.exitCode = 1
}

async function withStorage<Result>(work: (core: Pick<SystemCore, 'database' | 'storage'>) => Promise<Result>): Promise<Result> {
  const keys = await findInstallationKeys()
  return withDatabase(async ({ database }) => {
    await using opened = await openStorage({ database, keys })
    return work({ database, storage: opened.storage })
  })
}

async function withCustomResources<Result>(
  isWithout: true | undefined,
  work: (resources: CustomResources | undefined) => Promise<Result>,
): Promise<Result> {
  const settings = readConfig()
  if (isWithout || !kubernetesIsConfigured(settings)) return work(undefined)
  await using kube = await openKube(settings)
  const namespace = namespaceOf(settings)
  return work({ client: kube.requests, namespace, keysNamespace: settings.kubeKeysNamespace ?? namespace })
}

async function accept({ json }: { json?: boolean }): Promise<void> {
  const { behind } = await withStorage((core) => acceptRestore(core))
  print(json, { accepted: behind ?? null }, [
    behind
      ? 'accepted; objects without a row are deleted after a day again'
      : 'nothing to accept: neither store is behind the other',
  ])
}
