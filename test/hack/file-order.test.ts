import type { TestSpecification, Vitest } from 'vitest/node'
import { expect, test } from 'vitest'
import { BalancedSequencer } from '../support/balanced-sequencer.ts'

test('files that wait and files that compute take turns; those that need a slow build come last', async () => {
  const context = { cache: { getTestSpecificationResult: () => ({ duration: 1, failed: false }) } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the sequencer reads of it
  const sequencer = new BalancedSequencer(context as unknown as Vitest)
  const files = ['kubernetes', 'unit', 'split', 'api', 'kills', 'pages'].map((name) => ({
    moduleId: `/test/${name}/a.test.ts`,
    project: { name, config: { sequence: { groupOrder: 0 }, isolate: true } },
  }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the sequencer reads of them
  const sorted = await sequencer.sort(files as unknown as TestSpecification[])
  expect(sorted.map(({ project }) => project.name)).toEqual(['kills', 'pages', 'split', 'api', 'unit', 'kubernetes'])
})
