// Entry of the benchmarks: run.ts [name...] runs the named ones, or all, and prints a table each. Exits with 1 when one misses its goal.
// Figures depend on this machine and moment; compare ratios within a table, not numbers across machines.

export interface BenchTable {
  title: string
  columns: string[]
  rows: (string | number)[][]
  /** The goal, and whether it was met. */
  goal?: { text: string; met: boolean }
}

/** Each module exports `run`; only the requested ones are loaded. */
const BENCHES: Record<string, () => Promise<{ run: () => Promise<BenchTable[]> }>> = {
  seal: () => import('./seal.ts'),
  rates: () => import('./rates.ts'),
  start: () => import('./start.ts'),
  upload: () => import('./upload.ts'),
  lists: () => import('./lists.ts'),
  load: () => import('./load.ts'),
  pipeline: () => import('./pipeline.ts'),
  'read-cpu': () => import('./read-cpu.ts'),
  webhooks: () => import('./webhooks.ts'),
  controller: () => import('./controller.ts'),
  'page-drawing': () => import('./page-drawing.ts'),
  'unit-costs': () => import('./unit-costs.ts'),
  scaling: () => import('./scaling.ts'),
  memory: () => import('./memory.ts'),
  'public-check': () => import('./public-check.ts'),
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES)
for (const name of names) {
  const load = BENCHES[name]
  if (!load) {
    console.error(`There is no benchmark "${name}". Known: ${Object.keys(BENCHES).join(', ')}.`)
    process.exitCode = 2
    continue
  }
  for (const table of await (await load()).run()) print(table)
}

function print({ title, columns, rows, goal }: BenchTable): void {
  const cells = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)))]
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of cells)
    console.log(
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('   '),
    )
  if (!goal) return
  console.log(`${goal.met ? 'met' : 'MISSED'}: ${goal.text}`)
  if (!goal.met) process.exitCode = 1
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}
