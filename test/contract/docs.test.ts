import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lexer, type Tokens } from 'marked'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUIDE, readChapter } from '../../api/docs/page.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { SIGNATURE_IMAGE } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

interface Example {
  chapter: string
  script: string
  /** The output that the page shows. */
  shown: unknown
}

const CHAPTERS = [...GUIDE.map(({ file }) => file), 'errors.md']
const examples = CHAPTERS.flatMap(examplesOf)
const BETWEEN = '<<<< next example >>>>'

let service: TestService
let printed: string[]

beforeAll(async () => {
  service = await testService()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-docs-'))
  await copyFile(pdfFixture('reportlab.pdf'), path.join(folder, 'lease.pdf'))
  await writeFile(path.join(folder, 'signature.png'), Buffer.from(SIGNATURE_IMAGE, 'base64'))
  const { clientId, clientSecret } = service.organisation
  const environment = `export BASE_URL=${service.url} CLIENT_ID=${clientId} CLIENT_SECRET=${clientSecret}`
  const script = [environment, ...examples.map((example) => example.script)].join(`\necho; echo '${BETWEEN}'\n`)
  const running = runProgram('bash', ['-euo', 'pipefail'], script, { cwd: folder })
  await sealUntil(running)
  const { exitCode, stdout, stderr } = await running
  printed = stdout.toString('utf8').split(BETWEEN).slice(1)
  await rm(folder, { recursive: true })
  expect({ exitCode, stderr, examples: printed.length }).toEqual({ exitCode: 0, stderr: '', examples: examples.length })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Runs the sealing worker while the examples run. */
async function sealUntil(end: Promise<unknown>): Promise<void> {
  const pause = () => new Promise<'sealing'>((resolve) => setTimeout(() => resolve('sealing'), 100))
  do await service.sealEnvelopes()
  while ((await Promise.race([end.then(() => 'ended'), pause()])) === 'sealing')
}

function examplesOf(chapter: string): Example[] {
  const blocks = lexer(readChapter(chapter)).filter((token): token is Tokens.Code => token.type === 'code')
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1]
    const shown: unknown = next?.lang === 'json' ? JSON.parse(next.text) : undefined
    return block.lang === 'bash' ? [{ chapter, script: block.text, shown }] : []
  })
}

/** Replaces each value by its type, because values may differ between the page and a running service. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'signedDocumentUrls' ? 'object' : shapeOf(member)]),
  )
}

describe('the examples of the page', () => {
  test('are many, and most show their output', () => {
    expect(examples.length).toBeGreaterThan(15)
    expect(examples.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(12)
  })

  test.each(examples.map((example, index) => ({ ...example, index, first: example.script.split('\n', 1)[0] })))(
    '$chapter, $index: $first',
    ({ shown, index }) => {
      const output = (printed[index] ?? '').trim()
      if (shown === undefined) expect(output).not.toMatch(/"(error|code)":/)
      else expect(shapeOf(JSON.parse(output))).toEqual(shapeOf(shown))
    },
  )

  test('the verified file is valid, and errors say why', () => {
    const verified = examples.findIndex(({ script }) => script.includes('sha256sum'))
    expect(JSON.parse(printed[verified] ?? '')).toMatchObject({ valid: true, signerEmail: 'ada@example.test' })
    const withCodes = examples.flatMap(({ shown }, index) =>
      hasCode(shown) ? [[JSON.parse(printed[index] ?? '').code, shown.code]] : [],
    )
    expect(withCodes.length).toBeGreaterThan(1)
    for (const [answered, onPage] of withCodes) expect(answered).toBe(onPage)
  })
})

function hasCode(shown: unknown): shown is { code: string } {
  return typeof shown === 'object' && shown !== null && 'code' in shown
}
