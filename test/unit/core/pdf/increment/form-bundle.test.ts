import { inflateSync } from 'node:zlib'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { type BundleObject, extractForm, type FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { decodeForm, encodeForm } from '#core/pdf/increment/form-codec.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'

function textOf({ body }: BundleObject): string {
  return body.map((piece) => (typeof piece === 'number' ? `{${piece}}` : piece.toString('latin1'))).join('')
}

async function drawing(): Promise<FormBundle> {
  const document = await PDFDocument.create()
  const page = document.addPage([180, 60])
  page.drawText('Sealed', { x: 10, y: 20, size: 20, font: await document.embedFont(StandardFonts.Helvetica) })
  return extractForm(Buffer.from(await document.save({ useObjectStreams: false })))
}

describe('a form extracted from a page', () => {
  test('draws the content of the page, with its size and resources', () => {
    const { width, height, objects } = extractForm(simplePdf({ content: '1 0 0 rg' }))
    expect([width, height, objects.length]).toEqual([200, 200, 2])
    const form = objects[0]!
    expect(textOf(form)).toMatch(
      /^<<\/Type\/XObject\/Subtype\/Form\/BBox\[0 0 200 200\]\/Matrix\[1 0 0 1 0 0\]\/Resources <<\/Font<<\/F1 \{1\}>>>>/,
    )
    expect(textOf(form)).toContain(`/Filter/FlateDecode/Length ${form.data!.length}>>`)
    expect(inflateSync(form.data!).toString()).toBe('1 0 0 rg\n')
  })

  test('includes every referenced object once, loops included', () => {
    const page = '/Resources<</Font<</F1 5 0 R/F2 5 0 R>>/XObject 6 0 R>>/Group<</S/Transparency>>'
    const objects = ['<</A 7 0 R/Self 6 0 R>>', '[5 0 R 6 0 R (5 0 R)]', '(not referred to)']
    const bundle = extractForm(simplePdf({ page, objects }))
    expect(bundle.objects.map(textOf)).toEqual([
      expect.stringContaining('/Resources <</Font<</F1 {1}/F2 {1}>>/XObject {2}>>/Group <</S/Transparency>>'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</A {3}/Self {2}>>',
      '[{1} {2} (5 0 R)]',
    ])
  })

  test('keeps stream data unchanged, with its own length', () => {
    const bundle = extractForm(simplePdf({ page: '/Resources<</X 4 0 R>>', content: 'q Q' }))
    expect(textOf(bundle.objects[1]!)).toBe('<</Length 3>>')
    expect(bundle.objects[1]!.data?.toString()).toBe('q Q')
  })

  test('has its lower left corner at the origin, wherever the page has it', async () => {
    const document = await PDFDocument.create()
    document.addPage().setMediaBox(-10, 20, 100, 50)
    const bundle = extractForm(Buffer.from(await document.save({ useObjectStreams: false })))
    expect(bundle).toMatchObject({ width: 100, height: 50 })
    expect(textOf(bundle.objects[0]!)).toContain('/BBox[-10 20 90 70]/Matrix[1 0 0 1 10 -20]')
  })
})

describe('a stored form', () => {
  test('is decoded as it was encoded', async () => {
    const bundle = await drawing()
    expect(bundle.objects.length).toBeGreaterThan(1)
    expect(decodeForm(encodeForm(bundle))).toEqual(bundle)
  })

  test('is refused when it is truncated or something else', async () => {
    const bytes = encodeForm(await drawing())
    expect(() => decodeForm(Buffer.from('%PDF-1.7'))).toThrow('these bytes are no stored form')
    expect(() => decodeForm(Buffer.alloc(0))).toThrow('these bytes are no stored form')
    for (let length = 5; length < bytes.length; length++) {
      expect(() => decodeForm(bytes.subarray(0, length))).toThrow()
    }
    bytes[20] = 9
    expect(() => decodeForm(bytes)).toThrow('a stored form is damaged')
  })
})
