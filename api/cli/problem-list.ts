// Collects the problems of a check: counts, the first of each kind to print, and all of them in a file.
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Found, type Problem, PROBLEM_KINDS, type ProblemKind } from '#core/backup/problem.ts'

/** How many of each kind are printed. */
export const MOST_PRINTED = 20

export interface ProblemList {
  add: Found
  /** Only of kinds that were found. */
  counts: ReadonlyMap<ProblemKind, number>
  /** The first of each kind, by kind. */
  first(): Problem[]
  /** Throws the error of the file. */
  close(): Promise<void>
}

/** `file` must not exist; it gets one line of JSON for each problem. */
export function openProblemList(file: string | undefined): ProblemList {
  const stream = file === undefined ? undefined : createWriteStream(file, { flags: 'wx', mode: 0o600 })
  const ended = stream && finished(stream)
  // Thrown by `close`.
  ended?.catch(() => {})
  const counts = new Map<ProblemKind, number>()
  const kept: Problem[] = []
  return {
    counts,
    add(problem) {
      const count = (counts.get(problem.kind) ?? 0) + 1
      counts.set(problem.kind, count)
      if (count <= MOST_PRINTED) kept.push(problem)
      stream?.write(`${JSON.stringify(problem)}\n`)
    },
    first: () => PROBLEM_KINDS.flatMap((kind) => kept.filter((each) => each.kind === kind)),
    async close() {
      stream?.end()
      await ended
    },
  }
}
