// `npm run test:soak`: random operations on both sides and random faults, for SEALWRIGHT_SOAK_MINUTES (10). SEALWRIGHT_SOAK_SEED repeats a run: the same seed
// gives the same operations and faults, if not at the same moment. Exits with 1 when the stores do not become equal. Ends with the deletion of namespaces.
import { cp } from 'node:fs/promises'
import { anySeed, seededRandom } from '../support/builders/seeded-random.ts'
import { assertOnlyEnded } from './assert-only-ended.ts'
import { deleteNamespaces } from './delete-namespaces.ts'
import { Journal } from './journal.ts'
import { runRound } from './run-round.ts'
import { type SoakWorld, startSoakWorld } from './soak-world.ts'

const LONGEST_ROUND_MS = 120_000

const { SEALWRIGHT_SOAK_MINUTES = '10', SEALWRIGHT_SOAK_SEED, SEALWRIGHT_SOAK_LOGS } = process.env
const minutes = Number(SEALWRIGHT_SOAK_MINUTES)
const seed = SEALWRIGHT_SOAK_SEED === undefined ? anySeed() : Number(SEALWRIGHT_SOAK_SEED)
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('SEALWRIGHT_SOAK_MINUTES must be a positive number, SEALWRIGHT_SOAK_SEED a whole number.')
  process.exit(2)
}
console.log(`seed ${seed}, ${minutes} min`)
const startedAt = performance.now()
const say = (line: string): void => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} s  ${line}`)
try {
  await using world = await startSoakWorld()
  say('started')
  try {
    await soak(world)
  } finally {
    await keepLogs(world)
  }
  console.log(`Both stores were equal after each round. Seed ${seed}.`)
} catch (error) {
  console.error(`Seed ${seed}:`, error)
  process.exitCode = 1
}

async function soak(world: SoakWorld): Promise<void> {
  const journal = new Journal()
  const roll = seededRandom(seed)
  const until = performance.now() + minutes * 60_000
  for (let round = 1; performance.now() < until; round++) {
    const forMs = Math.ceil(Math.min(LONGEST_ROUND_MS, until - performance.now()))
    const { rows, orphans, secondsToConverge } = await runRound(world, journal, { roll, forMs, say })
    say(`round ${round}: ${rows} rows, ${orphans} of them orphaned, equal after ${secondsToConverge.toFixed(1)} s, then no write`)
    for (const each of [...world.controllers, world.deliverer]) assertOnlyEnded(each)
  }
  console.table(journal.counts)
  console.table(await deleteNamespaces(world))
}

/** Where SEALWRIGHT_SOAK_LOGS names a folder. */
async function keepLogs({ folder }: SoakWorld): Promise<void> {
  if (SEALWRIGHT_SOAK_LOGS)
    await cp(folder, SEALWRIGHT_SOAK_LOGS, {
      recursive: true,
      filter: (file) => !/postgres|kubernetes\/etcd|certificates|account-/.test(file),
    })
}
