import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeCosts, LAYER_BUDGETS } from '../../layer-budgets.ts'

const COSTS = [
  { layer: 'other', file: 'o.test.ts', seconds: 0.4 },
  { layer: 'slow', file: 's.test.ts', seconds: 9 },
  { layer: 'unit', file: 'a.test.ts', seconds: 2.26 },
  { layer: 'unit', file: 'b.test.ts', seconds: 1 },
]

describe('the costs of a run', () => {
  it('are printed by layer, with a warning for one over its budget', () => {
    expect(describeCosts(COSTS, { unit: 60, slow: 8, absent: 5 })).toEqual([
      'unit 3 s of 60 s',
      'slow 9 s of 8 s: OVER BUDGET by 1 s',
      'other 0 s',
    ])
  })

  it('name the costliest files where these are asked for', () => {
    expect(describeCosts(COSTS, {}, 2).slice(-2)).toEqual(['   9.0 s s.test.ts', '   2.3 s a.test.ts'])
  })

  it('have a budget for every layer, which the README lists', async () => {
    const config = await readFile('vitest.config.ts', 'utf8')
    const layers = Array.from(config.matchAll(/^ {6}project\('(\w+)'/gm), ([, layer]) => String(layer))
    expect(Object.keys(LAYER_BUDGETS).toSorted()).toEqual(layers.toSorted())
    const readme = await readFile('test/README.md', 'utf8')
    const rows = [...readme.matchAll(/^\| `(\w+)` .*\| +(\d+) s +\|$/gm)].map(([, layer, budget]) => [layer, Number(budget)])
    expect(Object.fromEntries(rows)).toEqual(LAYER_BUDGETS)
  })
})
