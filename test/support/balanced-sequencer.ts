// The order of test files. Files that mostly wait alternate with CPU-bound ones, to keep all processors busy; the short files of `unit`
// come last, so that the run does not end with one long file. Files that need a program which is being built come after all others.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Layers whose files start whole services and wait for them, those with the longest files first. */
const WAITING = ['kills', 'split', 'e2e', 'installation', 'start']
const COMPUTING = ['pages', 'contract', 'races', 'workers', 'interop', 'hack', 'storage', 'nats', 'api', 'alone', 'store', 'unit']
/** Their programs are built in the background, which takes minutes on a new machine (`servers/kube-run.ts`). */
const LAST = ['kubernetes']
/** Files that compute for half a minute, in layers of short files. */
const LONG = /\/(contract\/fuzz|inspect\/bombs)\.test\.ts$/

export class BalancedSequencer extends BaseSequencer {
  /** Within a layer vitest's order: previously failed and slow files first. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waiting = sorted.filter((file) => WAITING.includes(layerOf(file)))
    const last = sorted.filter((file) => LAST.includes(layerOf(file)))
    const computing = sorted.filter((file) => !waiting.includes(file) && !last.includes(file))
    const others = takingTurns(
      waiting.toSorted((one, other) => WAITING.indexOf(layerOf(one)) - WAITING.indexOf(layerOf(other))),
      computing.toSorted((one, other) => rank(one) - rank(other)),
    )
    return [...others, ...last]
  }
}

function layerOf({ project }: TestSpecification): string {
  return project.name
}

/** Long files, then layers that are not listed above, then the others as listed. */
function rank(file: TestSpecification): number {
  return LONG.test(file.moduleId) ? -2 : COMPUTING.indexOf(layerOf(file))
}

function takingTurns<Each>(some: readonly Each[], others: readonly Each[]): Each[] {
  const turns = Array.from({ length: Math.max(some.length, others.length) }, (_, turn) => [some[turn], others[turn]])
  return turns.flat().filter((each) => each !== undefined)
}
