// Our marker scanner against pdf.js on documents of many producers: both must find the same markers at the same positions.
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { buildLargePdf } from '../support/builders/large-pdf.ts'
import { PDF_FIXTURES, pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { uploadedFixture } from '../support/builders/uploaded-fixtures.ts'
import { findMarkersWithPdfjs } from '../support/judges/pdfjs-markers.ts'

const OPTIONS = { refuseActiveContent: true }
/** Points; the sum of rounding in writers and readers. */
const TOLERANCE = 0.1

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-markers-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('markers', () => {
  test.each(PDF_FIXTURES)('of %s are found where pdf.js finds them', async (name) => {
    const document = await uploadedFixture(name, folder)
    const { markers } = inspectPdf(bufferSource(await readFile(document)), OPTIONS)
    const expected = await findMarkersWithPdfjs(document)
    expect(markers.map(({ signOrder, page }) => ({ signOrder, page }))).toEqual(
      expected.map(({ signOrder, page }) => ({ signOrder, page })),
    )
    for (const [index, { x, y, exact }] of expected.entries()) {
      const marker = markers[index]!
      expect(Math.abs(marker.y - y)).toBeLessThan(TOLERANCE)
      if (exact) expect(Math.abs(marker.x - x)).toBeLessThan(TOLERANCE)
      else expect(marker.x).toBeGreaterThan(x)
    }
  })

  test('on the last of 2,000 pages are found as well', () => {
    const { pageCount, markers } = inspectPdf(bufferSource(buildLargePdf(2000)), OPTIONS)
    expect(pageCount).toBe(2000)
    expect(markers).toMatchObject([
      { signOrder: 1, page: 1999, x: 72, y: 100, angle: 0 },
      { signOrder: 2, page: 1999, x: 332, y: 100, angle: 0 },
    ])
  })

  test('run upwards on a page rotated by 90 degrees', async () => {
    const { markers } = inspectPdf(bufferSource(await readFile(pdfFixture('rotated-90.pdf'))), OPTIONS)
    expect(markers.map(({ angle }) => angle)).toEqual([90, 90])
  })
})

describe('the fixtures', () => {
  test('stay small', async () => {
    const sizes = await Promise.all(PDF_FIXTURES.map(async (name) => (await stat(pdfFixture(name))).size))
    expect(sizes.length).toBeGreaterThanOrEqual(30)
    expect(Math.max(...sizes)).toBeLessThan(150_000)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1_500_000)
  })

  test('are all described in their README', async () => {
    const readme = await readFile(pdfFixture('README.md'), 'utf8')
    const described = [...readme.matchAll(/^\| (\S+\.pdf) \|/gm)].map((match) => match[1])
    expect(described).toHaveLength(PDF_FIXTURES.length)
    expect(new Set(described)).toEqual(new Set(PDF_FIXTURES))
  })
})
