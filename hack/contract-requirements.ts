// `npm run contract`: lists the requirements of the contract that no test covers. A comment above a test names the ones it covers:
//   // requirements: decisions/links/second sign, service-api/statuses/409
// A star covers a whole section. Requirements of later issues are marked in the list; all others need a test.
import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DECISIONS } from '../test/contract/requirements/decisions.ts'
import type { Section } from '../test/contract/requirements/requirement.ts'
import { RUNNING } from '../test/contract/requirements/running.ts'
import { SERVICE_API } from '../test/contract/requirements/service-api.ts'

const DOCUMENTS: Record<string, Record<string, Section>> = { 'service-api': SERVICE_API, decisions: DECISIONS, running: RUNNING }
const TAG = /^\s*\/\/ requirements: (.+)$/
const NAMED = /^\s*(?:test|it|describe)[.(]|^\s*\[/

export interface CoverageGaps {
  /** Requirements without a test. */
  uncovered: string[]
  /** Tags that match no requirement, match one of a later issue, or are not above a test. */
  unknown: string[]
}

/** Every requirement as document/section/name, with the reason when it belongs to a later issue. */
export function contractRequirements(): Map<string, string | undefined> {
  const requirements = new Map<string, string | undefined>()
  for (const [document, sections] of Object.entries(DOCUMENTS)) {
    for (const [section, entries] of Object.entries(sections)) {
      for (const [name, requirement] of Object.entries(entries)) {
        requirements.set(`${document}/${section}/${name}`, typeof requirement === 'string' ? undefined : requirement.later)
      }
    }
  }
  return requirements
}

/** The gaps that these tests, pairs of path and text, leave. */
export function findGaps(tests: Iterable<readonly [path: string, text: string]>): CoverageGaps {
  const requirements = contractRequirements()
  const due = new Set([...requirements].filter(([, later]) => later === undefined).map(([id]) => id))
  const covered = new Set<string>()
  const unknown: string[] = []
  for (const [path, text] of tests) {
    for (const { place, wanted, aboveTest } of tagsOf(path, text)) {
      const named = [...due].filter((id) => id === wanted || (wanted.endsWith('/*') && id.startsWith(wanted.slice(0, -1))))
      if (named.length === 0 || !aboveTest) unknown.push(`${place} ${wanted}`)
      else for (const id of named) covered.add(id)
    }
  }
  return { uncovered: [...due].filter((id) => !covered.has(id)), unknown }
}

function tagsOf(path: string, text: string): { place: string; wanted: string; aboveTest: boolean }[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, list] = TAG.exec(line) ?? []
    const next = lines.slice(index + 1).find((each) => !each.trim().startsWith('//')) ?? ''
    const wanted = list?.split(/, (?=service-api\/|decisions\/|running\/)/) ?? []
    return wanted.map((id) => ({ place: `${path}:${index + 1}`, wanted: id.trim(), aboveTest: NAMED.test(next) }))
  })
}

/** The repository's tests, with paths from its root. */
export function readTests(): [string, string][] {
  return globSync('test/**/*.test.ts').map((path) => [path, readFileSync(path, 'utf8')])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { uncovered, unknown } = findGaps(readTests())
  for (const id of uncovered) console.log(`no test  ${id}`)
  for (const tag of unknown) console.log(`unknown  ${tag}`)
  console.log(`${contractRequirements().size} requirements, ${uncovered.length} without a test`)
  if (uncovered.length + unknown.length > 0) process.exitCode = 1
}
