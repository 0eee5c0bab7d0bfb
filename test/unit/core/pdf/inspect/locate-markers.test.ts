// The positions of markers in every encoding, checked against the content and against pdf.js as an independent reader.
import { readFileSync } from 'node:fs'
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { findMarkers } from '#core/pdf/inspect/find-markers.ts'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { MARKER_CASES, markerDocument } from '../../../../support/builders/marker-cases.ts'
import { PDF_FIXTURES, pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'
import { findMarkersWithPdfjs } from '../../../../support/judges/pdfjs-markers.ts'

function find(pdf: Buffer): Marker[] {
  return findMarkers(openPdf(bufferSource(pdf), newBudget(PDF_LIMITS))).markers
}

interface Item {
  readonly str: string
  readonly transform: readonly number[]
}

/** The markers of a document by pdf.js: the text run with the first brace gives the position. */
async function findWithPdfjs(pdf: Buffer): Promise<Omit<Marker, 'height'>[]> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 })
  const document = await task.promise
  const markers: Omit<Marker, 'height'>[] = []
  for (let page = 0; page < document.numPages; page++) {
    const { items } = await (await document.getPage(page + 1)).getTextContent({ disableNormalization: true })
    const runs: Item[] = items.filter((item) => 'str' in item)
    const characters = runs.flatMap((run) => Array.from(run.str.replaceAll(/\s/g, ''), (character) => ({ character, run })))
    const text = characters.map(({ character }) => character).join('')
    for (const match of text.matchAll(/\{\{signer([1-9]\d{0,2})\}\}/g)) {
      const [a = NaN, b = NaN, , , x = NaN, y = NaN] = characters[match.index]?.run.transform ?? []
      markers.push({ signOrder: Number(match[1]), page, x, y, angle: (Math.atan2(b, a) * 180) / Math.PI })
    }
  }
  await task.destroy()
  return markers
}

function close(values: readonly number[]): unknown[] {
  return values.map((value) => expect.closeTo(value, 3))
}

test.each(MARKER_CASES)('a marker is found $name', (found) => {
  const [x, y, angle = 0, height = 10] = found.at
  const markers = find(markerDocument(found))
  expect(markers).toMatchObject([{ signOrder: 1, page: 0 }])
  expect(markers.map((marker) => [marker.x, marker.y, marker.angle, marker.height])).toEqual([close([x, y, angle, height])])
})

test.each(MARKER_CASES.filter(({ alone }) => alone === undefined))('pdf.js sees the same marker $name', async (found) => {
  const pdf = markerDocument(found)
  const seen = await findWithPdfjs(pdf)
  expect(find(pdf).map(({ signOrder, page, x, y, angle }) => [signOrder, page, x, y, angle])).toEqual(
    seen.map(({ signOrder, page, x, y, angle }) => [signOrder, page, ...close([x, y, angle])]),
  )
  expect(seen).toHaveLength(1)
})

test.each(PDF_FIXTURES)('pdf.js sees the same markers in %s', async (name) => {
  const markers = find(readFileSync(pdfFixture(name)))
  const seen = await findMarkersWithPdfjs(pdfFixture(name))
  expect(markers.map(({ signOrder, page }) => [signOrder, page])).toEqual(seen.map(({ signOrder, page }) => [signOrder, page]))
  for (const [index, { x, y, exact }] of seen.entries()) {
    if (exact) expect([markers[index]?.x, markers[index]?.y]).toEqual(close([x, y]))
  }
})
