import { attachmentDisposition, downloadHeaders } from '#core/platform/storage/attachment.ts'
import { parse } from 'content-disposition'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

const hostileName = fc.string({
  unit: fc.constantFrom(
    'a',
    '.',
    '/',
    '\\',
    '"',
    '%',
    "'",
    ';',
    ':',
    '=',
    '*',
    ' ',
    '\r',
    '\n',
    '\0',
    '\u202e',
    '\u2028',
    '\ud800',
    'é',
  ),
  maxLength: 20,
})

describe('the disposition of a download', () => {
  test('is one line of ASCII that names an attachment, whatever the name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 255 }), hostileName), (name) => {
        const header = attachmentDisposition(name)
        expect(header).toMatch(/^attachment; filename[\x20-\x7e]+$/)
        const { type, parameters } = parse(header)
        expect(type).toBe('attachment')
        expect(Object.keys(parameters).filter((key) => !key.startsWith('filename'))).toEqual([])
        expect(parameters['filename']).not.toMatch(/[/\\\p{Cc}]/u)
        expect(parameters['filename']).not.toBe('')
      }),
      { numRuns: runs(200) },
    )
  })

  test('keeps a plain name as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}_ ()&+,;=@#%'"-]{0,40}[\p{L}\p{N}]\.pdf$/u), (name) => {
        expect(parse(attachmentDisposition(name)).parameters['filename']).toBe(
          name.normalize('NFC').replaceAll(/\s+/gu, ' ').trim(),
        )
      }),
    )
  })

  test('has headers against rendering, sniffing and caching', () => {
    expect(downloadHeaders('a.pdf', 'application/pdf')).toEqual({
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename=a.pdf',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
  })
})
