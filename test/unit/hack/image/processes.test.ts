import { expect, test } from 'vitest'
import { PROCESSES, readCommandLine } from '../../../../hack/image/processes.ts'
import { readRoles } from '../../../../workers/roles.ts'

test('every role of the workers runs in one process of the image, and seals alone in theirs', () => {
  const roles = Object.values(PROCESSES).flatMap(({ file, arguments: names }) => (file === 'workers/main.ts' ? names : []))
  expect(
    readRoles(roles)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['deliver', 'mail', 'relay', 'seal'])
  expect(PROCESSES['worker']?.arguments).toEqual(['seal'])
})

test('other commands, and names that objects have, are those of the command line', () => {
  for (const given of [[], ['--help'], ['migrate', '--json'], ['constructor'], ['toString']])
    expect(readCommandLine(given)).toEqual({ file: 'api/cli/main.ts', arguments: given })
})

test('a process is configured by settings alone', () => {
  expect(() => readCommandLine(['worker', 'mail'])).toThrow(/^Usage: sealwright worker .* unexpected: mail\.$/)
})
