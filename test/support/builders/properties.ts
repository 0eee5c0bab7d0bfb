// fast-check as every test uses it: the same few cases at each run, more and other ones on demand (`npm run test:long`, README.md). What fails prints its
// seed.
import fc from 'fast-check'

/** `FUZZ_FACTOR`: how many times the cases of a short run are tried. */
const FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1)
/** `FUZZ_SEED`: where chance begins. */
export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_124)
/** Of a property that names no number of its own. */
const RUNS = 50

/** The number of cases, for a short run, as this run tries them. */
export function runs(short: number): number {
  return Math.ceil(short * FACTOR)
}

/** So many of a long list, evenly over all of it and others with another seed; the whole list in a long run. */
export function someOf<Each>(list: readonly Each[], short: number): Each[] {
  const step = Math.max(1, Math.floor(list.length / runs(short)))
  return list.filter((_, index) => (index + FUZZ_SEED) % step === 0)
}

fc.configureGlobal({ seed: FUZZ_SEED, numRuns: runs(RUNS) })

export { fc }
