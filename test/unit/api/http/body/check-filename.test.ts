import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { checkFilename } from '../../../../../api/http/body/check-filename.ts'
import { answerOf, refusalOf } from '../../../../support/clients/answer-of.ts'

describe('the name of an uploaded file', () => {
  test.each([
    ['plain', 'Lease.pdf'],
    ['without an extension', 'Lease'],
    ['in other letters', 'Mietvertrag für Straße 1 – 契約書 🖋.pdf'],
    ['with a percent sign that is no escape of forms', '100%20%41.pdf'],
    ['in another normal form', 'e\u0301.pdf'],
    ['with white space around', ' Lease.pdf '],
    ['of 255 bytes', 'x'.repeat(255)],
    ['of 255 bytes in three-byte characters', '契'.repeat(85)],
  ])('is kept as it is: %s', (_, name) => {
    expect(checkFilename(name)).toBe(name)
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Leases\\Lease.pdf', 'Lease.pdf'],
    ['\\\\server\\share/Lease.pdf', 'Lease.pdf'],
    [`${'x/'.repeat(200)}Lease.pdf`, 'Lease.pdf'],
  ])('is the last part of the path %s', (path, name) => {
    expect(checkFilename(path)).toBe(name)
  })

  test('is decoded from form escapes', () => {
    expect(checkFilename('the %22final%22 lease.pdf')).toBe('the "final" lease.pdf')
  })

  test('counts its bytes after decoding', () => {
    expect(checkFilename('%22'.repeat(255))).toBe('"'.repeat(255))
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['only a folder', 'leases/'],
    ['a folder', '..'],
    ['the same folder', 'x/.'],
    ['of 256 bytes', 'x'.repeat(256)],
    ['of 258 bytes in 86 characters', '契'.repeat(86)],
    ['with a line break', 'a\nb.pdf'],
    ['with an escaped line feed', 'a%0Ab.pdf'],
    ['with an escaped carriage return', 'a%0Db.pdf'],
    ['with a tab', 'a\tb.pdf'],
    ['with NUL', 'a\0.pdf'],
    ['with DEL', 'a\x7f.pdf'],
    ['with a C1 control', 'a\u0085.pdf'],
    ['with half a character', 'a\ud800.pdf'],
    ['with bytes that were not UTF-8', 'a\ufffd.pdf'],
  ])('is refused when it is %s', (_, name) => {
    expect(answerOf(() => checkFilename(name))).toBe('VALIDATION_FAILED')
  })

  test('that is refused is not repeated', () => {
    expect(refusalOf(() => checkFilename('hush\n')).message).toBe('file: the file name contains characters that are not allowed.')
  })

  test('survives the escapes of a form', () => {
    // A form encoder's output. A name that contains an escape is indistinguishable from an escaped one.
    const escape = (name: string) => name.replaceAll('"', '%22')
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((name) => !/[\p{Cc}/\\\ufffd]|%22|%0D|%0A|^\.\.?$/u.test(name))
    fc.assert(
      fc.property(names, (name) => {
        expect(checkFilename(escape(name))).toBe(name)
      }),
    )
  })
})
