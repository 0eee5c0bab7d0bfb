// The words of the code, as CONTRIBUTING.md has them: plain English, and a doc comment that begins with a noun or a verb.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const filesLike = (names: string) =>
  globSync(`{api,core,controller,workers,hack}/**/${names}`, { exclude: ['api/pages/dist/**'] })
const CODE = filesLike('*.{ts,tsx,mts,mjs}')
const READMES = filesLike('*.md')

/** Metaphors, persons for parts, and words of our own for what the field has a term. */
const WORDS = [
  /\b(?:whoever|somebody|nobody|anew|told|seldom|spoilt|mend(?:ed|s)?|bells?)\b/,
  /\b(?:wish(?:es|ed)?|rivals?|prevails?|authored|born|supplied)\b/,
  /\b(?:hangs up|word of (?:it|what)|behind the wall|travels? together|looked for|planned anew|self-made)\b/,
  /\b(?:makes?|made)\b[\w ,]{0,40}\bagain\b/,
]

/** A first word that leaves the noun to the line below the comment. */
const START = '(?:Of|By|As|In|Those|The same)'
const DOC_COMMENT = new RegExp(String.raw`/\*\*\s*(?:\*\s*)?${START}\b[^\n]*`, 'g')
const HEADER = new RegExp(String.raw`^(?:#![^\n]*\n)?// ${START}\b[^\n]*`)

/** The lines with a word of the list, also within a name: `wishOf`, `mostRivals`. */
function wordsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words = line.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    return WORDS.some((word) => word.test(words)) ? [line.trim()] : []
  })
}

function startsIn(text: string): string[] {
  return [...(HEADER.exec(text) ?? []), ...Array.from(text.matchAll(DOC_COMMENT), ([comment]) => comment)]
}

const violations = (files: readonly string[], find: (text: string) => string[]) =>
  files.flatMap((file) => find(readFileSync(file, 'utf8')).map((found) => `${file}: ${found}`))

describe('the words', () => {
  test.each([
    'const wishOf = 1',
    'let mostRivals',
    '// Whoever comes first.',
    '/** Born in Kubernetes. */',
    '// Makes all values again.',
    '// A self-made key.',
  ])('of the list are found: %s', (line) => expect(wordsIn(`\n${line}\n`)).toEqual([line]))

  test('of the code and its READMEs are none of the list', () => {
    expect(violations([...CODE, ...READMES], wordsIn)).toEqual([])
  })
})

describe('a doc comment', () => {
  test.each([
    '/** Of the webhook. */',
    '/**\n * The same within a transaction.\n */',
    '// As an object says.',
    '#!/usr/bin/env node\n// By name.',
  ])('that begins with its preposition is found: %j', (text) => expect(startsIn(`${text}\nconst x = 1`)).toHaveLength(1))

  test('begins with a noun or a verb', () => {
    expect(CODE.length).toBeGreaterThan(1_000)
    expect(violations(CODE, startsIn)).toEqual([])
  })
})
