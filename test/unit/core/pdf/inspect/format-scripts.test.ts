// Scripts of form fields: those that only call Acrobat's format helpers are dropped by the seal, others are refused. What an upload warns about.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { describe, expect, test } from 'vitest'
import { onePage, type Page, stream } from '../../../../support/hostile/hostile-pdfs.ts'

function inspect(page: Page): Inspection {
  return inspectPdf(bufferSource(onePage(page)), { refuseActiveContent: true })
}

/** A text field in object 6 whose value is formatted by this script. */
function formatted(script: string, field = ''): Page {
  return {
    catalog: '/AcroForm<</Fields[6 0 R]>>',
    objects: [`<</FT/Tx/T(day)/AA<</F<</S/JavaScript/JS(${script.replace(/[()\\]/g, String.raw`\$&`)})>>>>${field}>>`],
  }
}

const FORMAT = 'AFDate_FormatEx("dd.mm.yyyy");'

describe('a script', () => {
  const refused: [string, Page][] = [
    [
      'a format script behind a link',
      { page: '/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>>>]' },
    ],
    [
      'a format script when it opens',
      { catalog: '/OpenAction 6 0 R', objects: ['<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>'] },
    ],
    [
      'a format script of a field that also runs when it opens',
      {
        catalog: '/OpenAction 7 0 R/AcroForm<</Fields[6 0 R]>>',
        objects: ['<</FT/Tx/T(a)/AA<</F 7 0 R>>>>', '<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>'],
      },
    ],
    ['a format script and a click on the same field', formatted(FORMAT, `/A<</S/JavaScript/JS(app.alert\\(1\\))>>`)],
    ['a format script with a statement', formatted('AFNumber_Format(2); app.alert(1)')],
    ['a format script with an expression', formatted('AFNumber_Format(app.alert(1))')],
    ['a format script that is assigned', formatted('x = AFNumber_Format(2)')],
    ['a function that is no helper', formatted('AFExecute_This("x")')],
  ]

  test.each(refused)('is refused: %s', (_, page) => {
    expect(() => inspect(page)).toThrow(expect.objectContaining({ code: 'DOCUMENT_ACTIVE_CONTENT' }))
  })

  const dropped: [string, Page][] = [
    ['a format script of a field', formatted(FORMAT)],
    ['format scripts of a field', formatted(` AFNumber_Format(2, 0, -1, 0.5, "\\u20ac \\"", true)\n;AFSpecial_Keystroke(3)`)],
    ['a calculation of a field', formatted('AFSimple_Calculate("SUM", new Array ("a", "b"));')],
    [
      'a format script in a stream',
      {
        catalog: '/AcroForm<</Fields[6 0 R]>>',
        objects: ['<</FT/Tx/T(a)/AA 7 0 R>>', '<</K 8 0 R>>', '<</S/JavaScript/JS 9 0 R>>', stream('', 'AFTime_Keystroke(0)')],
      },
    ],
    [
      'a format script in UTF-16',
      {
        catalog: '/AcroForm<</Fields[6 0 R]>>',
        objects: [
          `<</FT/Tx/T(a)/AA<</F<</S/JavaScript/JS<FEFF${Buffer.from('AFNumber_Format(2)', 'utf16le').swap16().toString('hex')}>>>>>>>`,
        ],
      },
    ],
  ]

  // requirements: decisions/documents/forms
  test.each(dropped)('is dropped: %s', (_, page) => {
    expect(inspect(page).plan.scriptsDropped).toBe(1)
  })
})

describe('an accepted document', () => {
  const forms: [string, Page, [string, string][]][] = [
    ['no form', {}, []],
    ['a read-only field', { catalog: '/AcroForm<</Fields[<</FT/Tx/T(a)/Ff 1>>]>>' }, []],
    ['an empty signature field', { catalog: '/AcroForm<</Fields[<</FT/Sig/T(a)>>]>>' }, []],
    ['a field', { catalog: '/AcroForm<</Fields[<</FT/Tx/T(a)>>]>>' }, [['FORM_FIELDS_LOCKED', 'one field']]],
    [
      'fields in a group',
      { catalog: '/AcroForm<</Fields[<</T(g)/FT/Ch/Kids[<</T(a)>><</T(b)>>]>>]>>' },
      [['FORM_FIELDS_LOCKED', '2 fields']],
    ],
    [
      'a field with a format script',
      formatted(FORMAT),
      [
        ['FORM_FIELDS_LOCKED', 'one field'],
        ['SCRIPTS_DROPPED', 'one field'],
      ],
    ],
    [
      'a signed field, which permits no dropping,',
      {
        catalog: '/AcroForm<</Fields[6 0 R 7 0 R]>>',
        objects: [...(formatted(FORMAT).objects ?? []), '<</FT/Sig/T(s)/V<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>>>'],
      },
      [['FORM_FIELDS_LOCKED', 'one field']],
    ],
  ]

  // requirements: decisions/documents/forms
  test.each(forms)('warns about the form with %s', (_, page, warnings) => {
    expect(inspect(page).warnings).toEqual(
      warnings.map(([code, part]) => ({ code, page: null, message: expect.stringContaining(part) })),
    )
  })
})
