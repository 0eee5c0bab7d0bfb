// What `sealwright backup verify` prints.
import { PROBLEM_KINDS } from '#core/backup/problem.ts'
import type { BackupVerdict } from '#core/backup/verify-backup.ts'
import { describeBehind } from '#core/installation/compare-watermarks.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { MOST_PRINTED, type ProblemList } from './problem-list.ts'

type Problems = Pick<ProblemList, 'counts' | 'first'>

export function toBackupJson({ watermarks: { database, objects, behind }, counts }: BackupVerdict, problems: Problems): object {
  return {
    ok: problems.counts.size === 0,
    behind: behind ?? null,
    watermarks: { database: database ?? null, objects: objects ?? null },
    checked: counts,
    problemCounts: Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, problems.counts.get(kind) ?? 0])),
    problems: problems.first(),
  }
}

export function describeBackup({ watermarks, counts }: BackupVerdict, problems: Problems): string[] {
  const sentence = describeBehind(watermarks)
  const more = [...problems.counts].filter(([, count]) => count > MOST_PRINTED)
  return [
    problems.counts.size === 0 ? 'no problems' : 'PROBLEMS FOUND',
    ...(sentence === undefined ? [] : [sentence]),
    ...problems
      .first()
      .map(({ kind, subject, message }) => `${kind}: ${subject === null ? '' : `${toVisibleLine(subject)} `}${message}`),
    ...more.map(([kind, count]) => `${kind}: ${count} in all; --problems FILE lists them`),
    `rows: ${counts.originals} originals, ${counts.sealedCopies} sealed copies, ${counts.reports} audit reports`,
    `object store: ${counts.objects} documents, ${counts.leftOver} of them left over from deletions`,
    counts.customResources === null ? 'custom resources: not compared' : `custom resources: ${counts.customResources} compared`,
  ]
}
