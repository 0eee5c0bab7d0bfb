// The workflows of GitHub call scripts of package.json, and actions by their major version.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const FILES = [...globSync('.github/workflows/*.yaml'), '.ci/run'].map((file) => ({ file, text: readFileSync(file, 'utf8') }))

describe.each(FILES)('$file', ({ text }) => {
  test('calls npm scripts that exist', () => {
    const called = text.matchAll(/\bnpm (?:run )?((?:--\S+ )*)(\w[\w:]*)/g)
    const names = Array.from(called, ([, , name]) => name!)
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('names actions by their major version, or by a workflow of this repository', () => {
    const used = Array.from(text.matchAll(/uses: (\S+)/g), ([, name]) => name!)
    const unpinned = used.filter((name) => !/^(?:actions|docker)\/[\w-]+@v\d+$|^\.\/\.github\/workflows\/\w+\.yaml$/.test(name))
    expect(unpinned).toEqual([])
  })
})

test('the checks, all suites and the cluster are each run by a workflow', () => {
  const text = FILES.map((each) => each.text).join('\n')
  for (const script of ['npm run --silent check', 'npm test --silent', 'npm run test:kind']) expect(text).toContain(script)
})
