// Documents that cost far more to read than their size, inspected with the memory of a process of the pool.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOMBS } from '../../../../support/hostile/bombs/all-bombs.ts'
import { type Body, buildPdf, stream } from '../../../../support/hostile/hostile-pdfs.ts'
import type { InspectionRun } from '../../../../support/judges/inspect-files.ts'
import { INSPECTION_MEMORY } from '#core/pdf/upload/inspection-pool.ts'
import { memoryOptions } from '#core/platform/processes/start-process.ts'
import { runProgram } from '../../../../support/clients/run-program.ts'

/** Half of an inspection's limit; the worst document took 4,100 ms on the slowest machine measured. */
const MAX_CPU_MILLISECONDS = 10_000
const MINUTE = 60_000

const folder = mkdtempSync(path.join(tmpdir(), 'inspect-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function inspectFolder(name: string, files: readonly (readonly [string, Buffer])[]): Promise<InspectionRun> {
  const place = mkdtempSync(path.join(folder, name))
  for (const [file, bytes] of files) writeFileSync(path.join(place, file), bytes)
  const script = path.join(import.meta.dirname, '../../../../support/judges/inspect-files.ts')
  const { execArgv, env } = memoryOptions(INSPECTION_MEMORY.heapMebibytes)
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [...execArgv, script, place], '', { env })
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  return JSON.parse(stdout.toString('utf8'))
}

describe('a document', () => {
  const bombs = Object.entries(BOMBS).flatMap(([kind, list]) => list.map((bomb) => ({ ...bomb, name: `${kind}: ${bomb.name}` })))
  let run: InspectionRun

  beforeAll(async () => {
    run = await inspectFolder(
      'bombs',
      bombs.map(({ build }, index) => [String(index), build()]),
    )
  }, 6 * MINUTE)

  // requirements: decisions/documents/complexity limits
  test.each(bombs.map(({ name, code }, index) => ({ name, index, code: code ?? null })))(
    '$name is answered in time',
    ({ index, code }) => {
      const answer = run.files.find(({ name }) => name === String(index))
      expect(answer?.code).toBe(code)
      expect(answer?.cpuMilliseconds).toBeLessThan(MAX_CPU_MILLISECONDS)
    },
  )

  test('of any of these kinds does not take more than the limit of a process allows', () => {
    expect(run.files).toHaveLength(bombs.length)
    expect(run.peakAfter).toBeLessThan(INSPECTION_MEMORY.memoryMebibytes)
  })
})

test(
  'a scan of 50 MB takes less than 16 MiB of memory',
  async () => {
    const pages = Array.from({ length: 12 }, (_, page) => page)
    const scan: Body[] = [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count 12/Kids[${pages.map((page) => `${3 + 3 * page} 0 R`).join(' ')}]>>`,
      ...pages.flatMap((page) => [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${4 + 3 * page} 0 R/Resources<</XObject<</I ${5 + 3 * page} 0 R>>>>>>`,
        stream('', 'q 595 0 0 842 0 0 cm /I Do Q'),
        stream('/Subtype/Image/Width 2480/Height 3508/Filter/DCTDecode', randomBytes(4_180_000)),
      ]),
    ]
    const { files, peakBefore, peakAfter } = await inspectFolder('scan', [['scan.pdf', buildPdf(scan)]])
    expect(files).toMatchObject([{ code: null }])
    expect(peakAfter - peakBefore).toBeLessThan(16)
  },
  MINUTE,
)
