import { createSecretKey } from 'node:crypto'
import { type Download, readDownload, signDownload } from '#core/platform/storage/presign.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

const secret = createSecretKey(Buffer.alloc(32, 7))
const issuedAt = new Date('2026-03-01T12:00:00.000Z')
const expiresAt = new Date('2026-03-01T13:00:00.000Z')
const download: Download = {
  key: 'documents/1/original',
  fileName: 'Vertrag & mehr.pdf',
  contentType: 'application/pdf',
  expiresAt,
}

describe('a presigned download', () => {
  test('is verified as it was signed, whatever the name contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 255 }), (fileName) => {
        const signed = signDownload(secret, { ...download, fileName })
        expect(signed).toMatch(/^[\x21-\x7e]+$/)
        expect(readDownload([secret], signed, issuedAt)).toEqual({
          verdict: 'valid',
          download: { ...download, fileName: fileName.toWellFormed() },
        })
      }),
    )
  })

  test('is the same text after a client has parsed its URL, whatever the name contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 255 }), (fileName) => {
        const url = `http://127.0.0.1/downloads/${signDownload(secret, { ...download, fileName })}`
        expect(new URL(url).href).toBe(url)
      }),
      { examples: [["O'Neil.pdf"]] },
    )
  })

  test.each([
    ['a millisecond before its end', new Date(expiresAt.getTime() - 1), 'valid'],
    ['at its end', expiresAt, 'expired'],
    ['long after', new Date('2036-01-01T00:00:00Z'), 'expired'],
  ])('is, %s, %s', (_, now, verdict) => {
    expect(readDownload([secret], signDownload(secret, download), now).verdict).toBe(verdict)
  })

  test('never lives longer than promised when the end is between two seconds', () => {
    const signed = signDownload(secret, { ...download, expiresAt: new Date(expiresAt.getTime() + 999) })
    expect(readDownload([secret], signed, expiresAt).verdict).toBe('expired')
  })

  test('is refused when any character is changed', () => {
    const signed = signDownload(secret, download)
    for (let at = 0; at < signed.length; at++) {
      for (const other of ['A', 'B', '0', '1', '-', '_', '&', '=', '%', '?', '/', '\u00e4']) {
        if (other === signed[at]) continue
        const changed = signed.slice(0, at) + other + signed.slice(at + 1)
        expect(readDownload([secret], changed, issuedAt), changed).toEqual({ verdict: 'forged' })
      }
    }
  })

  test('is refused when it is cut or extended', () => {
    const signed = signDownload(secret, download)
    for (let length = 0; length < signed.length; length++) {
      expect(readDownload([secret], signed.slice(0, length), issuedAt)).toEqual({ verdict: 'forged' })
    }
    for (const tail of ['&', '&a=b', '=', '#', ' ', '&signature=', signed.slice(signed.indexOf('&signature='))]) {
      expect(readDownload([secret], signed + tail, issuedAt), tail).toEqual({ verdict: 'forged' })
    }
  })

  test('is refused when its parameters are reordered, although their values are the same', () => {
    const [path, query = ''] = signDownload(secret, download).split('?')
    const parameters = query.split('&')
    expect(parameters).toHaveLength(4)
    for (const moved of [
      [1, 0, 2, 3],
      [0, 2, 1, 3],
      [3, 0, 1, 2],
      [2, 1, 0, 3],
    ]) {
      expect(readDownload([secret], `${path}?${moved.map((at) => parameters[at]).join('&')}`, issuedAt)).toEqual({
        verdict: 'forged',
      })
    }
  })

  test('is refused in another spelling', () => {
    const signed = signDownload(secret, download)
    expect(readDownload([secret], signed.replace('%20', '+'), issuedAt)).toEqual({ verdict: 'forged' })
    expect(readDownload([secret], signed.replace('Vertrag', '%56ertrag'), issuedAt)).toEqual({ verdict: 'forged' })
    expect(readDownload([secret], signed.replace('%26', '&'), issuedAt)).toEqual({ verdict: 'forged' })
  })

  test('is refused with another key', () => {
    const other = createSecretKey(Buffer.alloc(32, 8))
    const signed = signDownload(secret, download)
    expect(readDownload([other], signed, issuedAt)).toEqual({ verdict: 'forged' })
    expect(readDownload([], signed, issuedAt)).toEqual({ verdict: 'forged' })
    expect(readDownload([other, secret], signed, issuedAt).verdict).toBe('valid')
  })

  test.each(['', '?', '&signature=', 'a?b', 'a?b&signature=', `&signature=${'A'.repeat(43)}`, 'a?b&signature=\u00e4'])(
    'is not what %j is',
    (text) => {
      expect(readDownload([secret], text, issuedAt)).toEqual({ verdict: 'forged' })
    },
  )
})
