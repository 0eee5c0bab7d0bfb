// Reading any bytes as a content stream or document ends with a result or with a PdfError.
import { readFileSync } from 'node:fs'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { newContentReader } from '#core/pdf/inspect/content-reader.ts'
import { newFormVisits } from '#core/pdf/inspect/form-visits.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { locateMarkers } from '#core/pdf/inspect/locate-markers.ts'
import { unitOf } from '#core/pdf/inspect/marker-units.ts'
import { showsMarker } from '#core/pdf/inspect/probe-text.ts'
import type { Font, Form, TextScope } from '#core/pdf/inspect/text-scope.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { expect, test } from 'vitest'
import { pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'

const units = Uint16Array.from({ length: 256 }, (_, code) => unitOf(String.fromCharCode(code)))
const metrics = { advance: (code: number) => code / 500, vertical: false, height: 1 }
const simple: Font = { id: 1, codeBytes: 1, units, sequences: new Map(), metrics: () => metrics }
const composite: Font = { ...simple, id: 2, codeBytes: 2 }

/** A scope in which /F is a simple font, /G a composite font, and /X a form with this content. */
function scopeWith(form: Buffer): TextScope {
  const scope: TextScope = {
    font: (name) => ({ F: simple, G: composite })[name],
    form: (name) => (name === 'X' ? drawn : undefined),
    isTint: () => false,
  }
  const drawn: Form = { id: 9, ownScope: true, scope, matrix: [1, 0, 0, 1, 3, 4], box: undefined, content: () => form }
  return scope
}

const soup = fc
  .array(
    fc.constantFrom(
      ...'q Q BT ET cm Tm Td TD T* TL Tc Tw Tz Ts Tf Tj TJ \' " Do BI ID EI BDC EMC re f ( ) < > << >> [ ] % / /F /G /X'.split(
        ' ',
      ),
      ...'1 -2.5 0 99999999999999999999 ({{signer1}}) ({{sig) (ner2}}) <7B7B> \\ { }'.split(' '),
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.from(parts.join(' ')))
const bytes = fc.uint8Array({ maxLength: 300 }).map((list) => Buffer.from(list))
const content = fc.oneof(soup, bytes)

test('any content is read to its end by both passes', () => {
  const reader = newContentReader()
  fc.assert(
    fc.property(content, content, (page, form) => {
      const scope = scopeWith(form)
      showsMarker(reader, newFormVisits(), page, scope)
      for (const marker of locateMarkers(reader, newFormVisits(), page, scope, 0)) {
        expect([marker.x, marker.y, marker.angle, marker.height].every(Number.isFinite)).toBe(true)
      }
    }),
    { numRuns: runs(1_000) },
  )
})

test('the second pass finds a marker exactly when the first pass does', () => {
  const reader = newContentReader()
  // Without numbers, every position is valid.
  const shown = fc
    .array(fc.constantFrom(...'q Q BT ET Tj TJ Do /F /X /G Tf [ ] ({{signer1}}) ({{sig) (ner2}}) (x) ()'.split(' ')), {
      maxLength: 40,
    })
    .map((parts) => Buffer.from(`/F Tf ${parts.join(' ')}`))
  let hits = 0
  fc.assert(
    fc.property(shown, shown, (page, form) => {
      const visits = newFormVisits()
      const seen = showsMarker(reader, visits, page, scopeWith(form))
      expect(locateMarkers(reader, visits, page, scopeWith(form), 0).length > 0).toBe(seen)
      if (seen) hits++
    }),
    { numRuns: runs(600) },
  )
  expect(hits).toBeGreaterThan(10)
})

const FIXTURES = ['pdfkit.pdf', 'signed-pyhanko.pdf', 'hybrid-reference.pdf', 'openpdf.pdf', 'reportlab-form.pdf', 'pdfbox.pdf']

test.each(FIXTURES)('%s with some bytes changed is inspected or refused', (name) => {
  const original = readFileSync(pdfFixture(name))
  const change = fc.record({ at: fc.nat(original.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const changed = Buffer.from(original)
      for (const { at, bytes: written } of changes) changed.set(written.subarray(0, changed.length - at), at)
      expect(outcomeOf(changed)).toBeInstanceOf(Object)
    }),
    { numRuns: runs(50) },
  )
})

/** The inspection or the PdfError; other errors are rethrown. */
function outcomeOf(pdf: Buffer): object {
  try {
    return inspectPdf(bufferSource(pdf), { refuseActiveContent: true })
  } catch (error) {
    if (error instanceof PdfError) return error
    throw error
  }
}
