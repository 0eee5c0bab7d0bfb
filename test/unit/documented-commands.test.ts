// Operators paste the commands of the documents, so every command and option in them has to exist.
import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { buildProgram } from '../../api/cli/run-command.ts'
import { buildProgram as buildPlugin } from '../../controller/kubectl/program.ts'
import { PROCESSES } from '../../hack/image/processes.ts'

const FILES = globSync(['{README,CONTRIBUTING}.md', 'docs/**/*.md', 'charts/sealwright/README.md'])
/** A command at the beginning of a line or a code span, or that npx or kubectl runs; up to the end of the span, a pipe or a comment. */
const COMMAND = /(?:^ *(?:\$ )?|`|-- |npx )(kubectl[ -])?sealwright ([a-z][^`|#;<\n]*)/gm
/** Those of the image that are not on the command line. */
const WITHOUT_ARGUMENTS = new Set([...Object.keys(PROCESSES), 'preflight'])

const programs = { sealwright: buildProgram(), 'kubectl sealwright': buildPlugin({}) }

/** What is wrong with the words of a command line; undefined if nothing. */
function faultOf(program: Command, words: readonly string[]): string | undefined {
  let command = program
  const options = new Set(['--help', ...namesOf(program)])
  for (const word of words) {
    if (word.startsWith('--')) {
      if (!options.has(word)) return `${command.name()} has no option ${word}`
      continue
    }
    const next = command.commands.find((each) => each.name() === word)
    if (!next && command.commands.length > 0) return `${command.name()} has no command ${word}`
    if (next) command = next
    for (const name of namesOf(command)) options.add(name)
  }
  return undefined
}

function namesOf({ options }: Command): string[] {
  return options.flatMap(({ long }) => long ?? [])
}

describe.each(FILES)('%s', (file) => {
  test('names only commands and options that exist', () => {
    const found = Array.from(readFileSync(file, 'utf8').matchAll(COMMAND), ([, plugin, rest]) => ({ plugin, rest: rest! }))
    const faults = found.flatMap(({ plugin, rest }) => {
      const words = rest
        .replaceAll(/[[\]".,]/g, ' ')
        .trim()
        .split(/\s+/)
      if (!plugin && words.length === 1 && WITHOUT_ARGUMENTS.has(words[0]!)) return []
      return faultOf(programs[plugin ? 'kubectl sealwright' : 'sealwright'], words) ?? []
    })
    expect(faults).toEqual([])
  })
})

test('the runbooks name more than twenty commands', () => {
  const text = globSync('docs/runbooks/*.md').map((file) => readFileSync(file, 'utf8'))
  expect(text.join('\n').match(COMMAND)!.length).toBeGreaterThan(20)
})
