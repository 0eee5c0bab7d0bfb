// A reader who looks for something follows a README's table to a file, so every path in one has to exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const READMES = globSync(
  ['{README,CONTRIBUTING,SECURITY}.md', '{api,core,workers,controller,hack,crds,charts,docs,test}/**/*.md'],
  {
    exclude: (name) => name.includes('node_modules'),
  },
).filter((file) => !file.startsWith('api/docs/chapters/'))

/** `core/envelope/rules.ts`, `hack/servers/`, `.dependency-cruiser.mjs`; not `npm start`, a name or a URL. */
const PATH = /^(?!\/)[\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:ts|tsx|mts|mjs|md|sh|sql|html|json))$/

describe.each(READMES.map((file) => ({ file, text: readFileSync(file, 'utf8') })))('$file', ({ file, text }) => {
  const exists = (target: string) => existsSync(target) || existsSync(path.join(path.dirname(file), target))

  test('names only files that exist in its tables', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    const named = rows
      .flatMap((row) => Array.from(row.matchAll(/`([^`]+)`/g), ([, code]) => code!))
      .filter((code) => PATH.test(code))
    expect(named.filter((target) => !exists(target) && !OTHER_NAMES.has(target))).toEqual([])
  })

  test('has no line above 400 characters outside of commands and their output', () => {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, '')
    expect(prose.split('\n').filter((line) => line.length > 400)).toEqual([])
  })

  test('links only to files and headings that exist', () => {
    const links = Array.from(text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g), ([, target, anchor]) => ({
      target: target!,
      anchor,
    }))
    const broken = links
      .filter(({ target }) => !/^https?:|^\//.test(target))
      .filter(({ target, anchor }) => {
        const linked = target ? path.join(path.dirname(file), target) : file
        return !existsSync(linked) || (anchor !== undefined && !anchorsOf(linked).includes(anchor))
      })
    expect(broken).toEqual([])
  })
})

/** File names that many folders share, and an object in the store. */
const OTHER_NAMES = new Set(['main.ts', 'rules.ts', 'installation/mark'])

/** Headings as GitHub links them. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('CONTRIBUTING.md answers where the most wanted things are', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8')
  const answerOf = (question: string) => text.split('\n').find((line) => line.startsWith(`| ${question} `)) ?? ''
  expect(answerOf('what gives a quota back')).toContain('`core/account/quota/reserve.ts`')
  expect(answerOf('the columns of a table')).toContain('`core/schema/schema.sql`')
  expect(answerOf('what goes onto NATS')).toContain('`core/messaging/jetstream/streams.ts`')
  expect(answerOf('the retry delay of a mail')).toContain('`core/mail/rules.ts`')
  expect(answerOf('where `npm start` wires the workers')).toContain('`hack/embedded/start-service.ts`')
})

/** A link of the guide to outages whose text is the name of a test in the file that it leads to. */
const PROMISES = Array.from(
  readFileSync('docs/outages.md', 'utf8').matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+\.test\.ts)\)/g),
  ([, name, file]) => ({ name: name!, file: file! }),
)

test('every situation of the guide to outages has its test', () => {
  const [, section = ''] =
    /## What happens while something is away\n([^]*?)\n#/.exec(readFileSync('docs/outages.md', 'utf8')) ?? []
  const [, ...situations] = section.split(/^- /m)
  expect(situations.length).toBeGreaterThan(15)
  expect(situations.filter((text) => !PROMISES.some(({ name }) => text.includes(`[${name}]`)))).toEqual([])
  expect(PROMISES.filter(({ name, file }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${name}'`))).toEqual([])
})

test('every threat of docs/security.md names the tests that show what stops it', () => {
  const text = readFileSync('docs/security.md', 'utf8')
  const [, , ...rows] = /^## Threats\n+((?:\|.*\n)+)/m.exec(text)![1]!.trim().split('\n')
  expect(rows.length).toBeGreaterThan(25)
  for (const row of rows) {
    const [threat, measure, shownBy] = row.split('|').slice(1, -1)
    expect(threat!.trim() && measure!.trim(), row).not.toBe('')
    const tests = shownBy!.split(',').map((each) => /^ *`(test\/\S+\.test\.ts)` *$/.exec(each)?.[1] ?? '')
    expect(
      tests.filter((file) => !existsSync(file)),
      row,
    ).toEqual([])
  }
})

describe('core/schema/README.md', () => {
  const schema = readFileSync('core/schema/schema.sql', 'utf8')
  const [, triggerRows = '', cascadeRows = ''] = readFileSync('core/schema/README.md', 'utf8').split(
    /^\| (?:table|a deleted row of) .*\n/m,
  )
  const codesOf = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!)
  const cellsOf = (rows: string) => Array.from(rows.matchAll(/^\| (`.*)\|$/gm), ([, row]) => row!.split(' | '))
  const triggers = Array.from(
    schema.matchAll(/^CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*? ON (\w+) .*EXECUTE FUNCTION (\w+)\(/gm),
    ([, trigger, table, name]) => ({ trigger: trigger!, table: table!, name: name! }),
  )

  test('lists every trigger with its table and function', () => {
    expect(triggers.length).toBeGreaterThan(30)
    const listed = cellsOf(triggerRows).flatMap(([table, names, called]) =>
      codesOf(names).map((trigger) => ({ trigger, table: codesOf(table)[0]!, name: codesOf(called)[0]! })),
    )
    const sorted = (each: typeof triggers) => each.toSorted((one, other) => one.trigger.localeCompare(other.trigger))
    expect(sorted(listed)).toEqual(sorted(triggers))
  })

  test('lists every table whose rows are deleted with those of another', () => {
    const cascades = schema.split(/^CREATE TABLE /m).flatMap((text) => {
      const [child] = text.split(' ')
      return Array.from(text.matchAll(/REFERENCES (\w+)\(.*ON DELETE CASCADE/g), ([, parent]) => `${parent} ${child}`)
    })
    expect(cascades.length).toBeGreaterThan(20)
    const listed = cellsOf(cascadeRows).flatMap(([parent, children]) =>
      codesOf(children).map((child) => `${codesOf(parent)[0]} ${child}`),
    )
    expect(listed.toSorted()).toEqual(cascades.toSorted())
  })

  test('every trigger is named at the head of the file with the SQL of its table', () => {
    const files = globSync('core/**/*.ts').map((file) => readFileSync(file, 'utf8'))
    const isNamed = ({ trigger, table }: (typeof triggers)[number]) =>
      files.some((text) => {
        const [head = ''] = /^(?:\/\/.*\n)+/.exec(text) ?? []
        return head.split(/\W+/).includes(trigger) && new RegExp(String.raw`\b(?:from|into|update|join) ${table}\b`).test(text)
      })
    expect(triggers.filter((each) => !isNamed(each))).toEqual([])
  })
})
