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
    '\u200b',
    '.pdf',
    '.exe',
  ),
  maxLength: 20,
})

const PDF = 'application/pdf'

describe('the disposition of a download', () => {
  test('is one line of ASCII that names an attachment, whatever the name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 255 }), hostileName), (name) => {
        const header = attachmentDisposition(name, PDF)
        expect(header).toMatch(/^attachment; filename[\x20-\x7e]+$/)
        const { type, parameters } = parse(header)
        expect(type).toBe('attachment')
        expect(Object.keys(parameters).filter((key) => !key.startsWith('filename'))).toEqual([])
        expect(parameters['filename']).not.toMatch(/[/\\\p{Cc}]/u)
        expect(parameters['filename']).toMatch(/[^.\s].*\.pdf$/i)
        expect(parameters['filename']).not.toMatch(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u)
        expect(Buffer.byteLength(parameters['filename'] ?? '')).toBeLessThanOrEqual(255)
      }),
      { numRuns: runs(200) },
    )
  })

  test('keeps a plain name as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}_ ()&+,;=@#%'"-]{0,40}[\p{L}\p{N}]\.pdf$/u), (name) => {
        expect(parse(attachmentDisposition(name, PDF)).parameters['filename']).toBe(
          name.normalize('NFC').replaceAll(/\s+/gu, ' ').trim(),
        )
      }),
    )
  })

  // requirements: decisions/documents/download names
  test.each([
    ['Lease.pdf', 'Lease.pdf'],
    ['LEASE.PDF', 'LEASE.PDF'],
    ['Lease', 'Lease.pdf'],
    ['Lease.pdf.exe', 'Lease.pdf.exe.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe.pdf'],
    ['Lease.pdf\u200b', 'Lease.pdf'],
    ['Le\u00adase.p\u2060df', 'Lease.pdf'],
    ['\u3164.pdf', 'document.pdf'],
    ['..', 'document.pdf'],
    ['é'.repeat(125), `${'é'.repeat(125)}.pdf`],
    ['é'.repeat(126), `${'é'.repeat(125)}.pdf`],
    [`${'x'.repeat(255)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`${'x'.repeat(251)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ])('of %j saves %j', (name, saved) => {
    expect(parse(attachmentDisposition(name, PDF)).parameters['filename']).toBe(saved)
  })

  test('keeps the extension of another type', () => {
    expect(parse(attachmentDisposition('activity.csv', 'text/csv')).parameters['filename']).toBe('activity.csv')
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
