// `sealwright backup verify | accept`
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { CustomResources } from '#core/backup/list-shown-versions.ts'
import { type Problem, PROBLEM_KINDS, type ProblemKind } from '#core/backup/problem.ts'
import { type BackupVerdict, verifyBackup } from '#core/backup/verify-backup.ts'
import type { SystemCore } from '#core/context.ts'
import { acceptRestore } from '#core/installation/accept-restore.ts'
import { checkKey } from '#core/installation/check-key.ts'
import { describeBehind } from '#core/installation/compare-watermarks.ts'
import { kubernetesIsConfigured, namespaceOf, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import type { Command } from 'commander'
import { readConfig, readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { openStorage } from './open-storage.ts'
import { print } from './print.ts'

/** How many of each kind are printed; a file gets all. */
const MOST_PRINTED = 20

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
  content?: true
  problems?: string
  withoutKubernetes?: true
  json?: boolean
}

async function verify({ content = false, problems: file, withoutKubernetes, json }: VerifyOptions): Promise<void> {
  const all =
    file === undefined ? undefined : createWriteStream(resolveArgument(file, readEnvironment()), { flags: 'wx', mode: 0o600 })
  const counts = new Map<ProblemKind, number>()
  const printed: Problem[] = []
  const found = (problem: Problem): void => {
    const count = (counts.get(problem.kind) ?? 0) + 1
    counts.set(problem.kind, count)
    if (count <= MOST_PRINTED) printed.push(problem)
    all?.write(`${JSON.stringify(problem)}\n`)
  }
  const verdict = await withStorage((core) =>
    withCustomResources(withoutKubernetes, (customResources) => verifyBackup(core, { content, customResources, found })),
  ).finally(() => closed(all))
  const problems = PROBLEM_KINDS.flatMap((kind) => printed.filter((each) => each.kind === kind))
  const ok = problems.length === 0
  print(json, toJson(ok, verdict, counts, problems), describe(verdict, counts, problems))
  if (!ok) process.exitCode = 1
}

async function closed(file: WriteStream | undefined): Promise<void> {
  if (!file) return
  file.end()
  await finished(file)
}

async function withStorage<Result>(work: (core: Pick<SystemCore, 'database' | 'storage'>) => Promise<Result>): Promise<Result> {
  const keys = await findInstallationKeys()
  return withDatabase(async ({ database }) => {
    await checkKey({ database, keys })
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

function toJson(
  ok: boolean,
  { watermarks, counts }: BackupVerdict,
  found: Map<ProblemKind, number>,
  problems: Problem[],
): object {
  const { database, objects, behind } = watermarks
  return {
    ok,
    behind: behind ?? null,
    watermarks: { database: database ?? null, objects: objects ?? null },
    checked: counts,
    problemCounts: Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, found.get(kind) ?? 0])),
    problems,
  }
}

function describe({ watermarks, counts }: BackupVerdict, found: Map<ProblemKind, number>, problems: Problem[]): string[] {
  const { originals, sealedCopies, reports, objects, leftOver, customResources } = counts
  const sentence = describeBehind(watermarks)
  return [
    problems.length === 0 ? 'no problems' : 'PROBLEMS FOUND',
    ...(sentence === undefined ? [] : [sentence]),
    ...problems.map(({ kind, subject, message }) => `${kind}: ${subject === null ? '' : `${toVisibleLine(subject)} `}${message}`),
    ...[...found]
      .filter(([, count]) => count > MOST_PRINTED)
      .map(([kind, count]) => `${kind}: ${count} in all; --problems FILE lists them`),
    `rows: ${originals} originals, ${sealedCopies} sealed copies, ${reports} audit reports`,
    `object store: ${objects} documents, ${leftOver} of them left over from deletions`,
    customResources === null ? 'custom resources: not compared' : `custom resources: ${customResources} compared`,
  ]
}

async function accept({ json }: { json?: boolean }): Promise<void> {
  const { behind } = await withStorage((core) => acceptRestore(core))
  print(json, { accepted: behind ?? null }, [
    behind
      ? 'accepted; objects without a row are deleted after a day again'
      : 'nothing to accept: neither store is behind the other',
  ])
}
