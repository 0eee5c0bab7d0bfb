// `npm run test:chaos -- [--minutes N] [--seed S]`: injects faults of every kind for this long, and asserts the invariants after each
// round. Exits with 1 when one is broken; the same seed gives the same faults in the same order, if not at the same moment.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { anySeed } from '../support/builders/seeded-random.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { startChaosWorld } from './chaos-world.ts'
import { runWorkload } from './workload.ts'

const ENVELOPES = 20

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes)
const seed = values.seed === undefined ? anySeed() : Number(values.seed)
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run test:chaos -- [--minutes N] [--seed S]')
  process.exit(2)
}
console.log(`seed ${seed}, ${minutes} min`)
const startedAt = performance.now()
const say = (line: string): void => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`)
try {
  await using world = await startChaosWorld()
  const pdf = await readFile(pdfFixture('libreoffice.pdf'))
  const { faults, ...rest } = await runWorkload(world, { seed, pdf, forMs: minutes * 60_000, envelopes: ENVELOPES, say })
  console.table(faults)
  console.table(rest)
  console.log(`All invariants held. Seed ${seed}.`)
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
