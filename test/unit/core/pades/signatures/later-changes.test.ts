// What may follow a plain signature, and what breaks it. Each file continues a genuine one by a further revision.
import { beforeAll, describe, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { buildCms } from '../cms-builder.ts'
import { revised } from '../forgeries.ts'
import { ENTRIES, SEALED_AT, signFile, unsignedFile } from '../sealed-file.ts'
import {
  catalog,
  changesOf,
  EMPTY_FIELD,
  FORM,
  NOTE,
  type Objects,
  page,
  signedDocument,
  stream,
  TEXT_FIELD,
  WIDGET,
} from './signed-document.ts'

let key: SigningKey
let plain: Buffer
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  plain = signedDocument(key)
})

describe('after a plain signature', () => {
  it('the catalog and page that the other cases change are those of the document', () => {
    const same = revised(
      plain,
      new Map([
        [1, catalog()],
        [3, page()],
      ]),
    )
    expect(changesOf(same)).toBe('PERMITTED')
  })

  it.each<[string, Objects]>([
    ['nothing but a revision', []],
    ['an object that nothing uses', [[99, '<<>>']]],
    ['text that mentions objects', [[99, stream('', 'It has 3 objects, or 7 obj, and a trailer <a>.')]]],
    [
      'validation data',
      [
        [1, catalog('/DSS 20 0 R')],
        [20, '<</Certs[21 0 R]/VRI<</AB<</Cert[21 0 R]>>>>>>'],
        [21, stream('', 'c')],
      ],
    ],
    [
      'metadata',
      [
        [1, catalog('/Metadata 20 0 R')],
        [20, stream('/Type/Metadata/Subtype/XML', '<x/>')],
      ],
    ],
    [
      'an empty signature field',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
        [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
        [20, `${WIDGET}/Rect[0 0 0 0]>>`],
      ],
    ],
    [
      'a filled field',
      [
        [6, `${TEXT_FIELD.replace('8 0 R', '20 0 R')}/V(Ada)>>`],
        [20, stream('/Subtype/Form/BBox[0 0 80 20]', 'new')],
      ],
    ],
    [
      'a filled field whose appearance was overwritten',
      [
        [6, `${TEXT_FIELD}/V(Ada)>>`],
        [8, stream('/Subtype/Form/BBox[0 0 80 20]', 'new')],
      ],
    ],
    [
      'a signed field',
      [
        [7, `${EMPTY_FIELD}/V 20 0 R>>`],
        [20, '<</Type/Sig>>'],
      ],
    ],
  ])('%s is permitted', (_, objects) => {
    expect(changesOf(revised(plain, new Map(objects)))).toBe('PERMITTED')
  })

  it.each<[string, Objects, string]>([
    ['other page content', [[4, stream('', 'BT ET')]], 'a part of its content (object 4) was changed'],
    ['another font', [[5, '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>']], 'object 5 was changed'],
    [
      'more page content',
      [
        [3, page().replace('/Contents 4 0 R', '/Contents[4 0 R 20 0 R]')],
        [20, stream('', 'x')],
      ],
      'the content of a page was changed',
    ],
    [
      'other resources',
      [
        [3, page().replace('/F1 5 0 R', '/F1 20 0 R')],
        [20, '<<>>'],
      ],
      'the content of a page was changed',
    ],
    ['a rotated page', [[3, page('/Rotate 90')]], 'the content of a page was changed'],
    ['an action on a page', [[3, page('/AA<</O<</S/Named>>>>')]], 'the content of a page was changed'],
    ['an action on opening', [[1, catalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]>>')]], 'settings of the document were changed'],
    ['optional content', [[1, catalog('/OCProperties<<>>')]], 'settings of the document were changed'],
    [
      'another page tree',
      [
        [1, catalog().replace('/Pages 2 0 R', '/Pages 20 0 R')],
        [20, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
      ],
      'settings of the document were changed',
    ],
    [
      'a page more',
      [
        [2, '<</Type/Pages/Kids[3 0 R 20 0 R]/Count 2>>'],
        [20, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'],
      ],
      'object 2 was changed',
    ],
    [
      'an annotation',
      [
        [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
        [20, NOTE + '>>'],
      ],
      'an annotation was added',
    ],
    ['an annotation within the list', [[3, page('', `6 0 R 7 0 R 9 0 R 10 0 R ${NOTE}>>`)]], 'an annotation was added'],
    ['an annotation less', [[3, page('', '6 0 R 7 0 R 10 0 R')]], 'an annotation was removed'],
    ['annotations in another order', [[3, page('', '7 0 R 6 0 R 9 0 R 10 0 R')]], 'an annotation was removed'],
    ['another note', [[9, NOTE.replace('a note', 'another') + '>>']], 'object 9 was changed'],
    [
      'a text field more',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
        [20, TEXT_FIELD.replace('name', 'more') + '>>'],
      ],
      'a form field was added',
    ],
    ['a field less', [[1, catalog('', '7 0 R 10 0 R')]], 'a field was removed'],
    [
      'another field in its place',
      [
        [1, catalog('', '20 0 R 7 0 R 10 0 R')],
        [20, `${TEXT_FIELD}>>`],
      ],
      'a field was removed',
    ],
    [
      'an unsigned signature field that shows something',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
        [20, `${WIDGET}/Rect[20 95 120 115]/AP<</N 21 0 R>>>>`],
        [21, stream('/Subtype/Form/BBox[0 0 9 9]', 'x')],
      ],
      'an unsigned field that shows something was added',
    ],
    [
      'a signature field with an action',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
        [20, `${WIDGET}/Rect[0 0 0 0]/A<</S/Named>>>>`],
      ],
      'a signature field with more than a signature was added',
    ],
    [
      'a note that is made a signature field',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R 9 0 R')],
        [9, `${WIDGET}/Rect[0 0 0 0]>>`],
      ],
      'an object was made a signature field',
    ],
    ['a moved field', [[6, `${TEXT_FIELD.replace('[10 10 90 30]', '[20 95 120 115]')}/V(x)>>`]], 'a field was changed'],
    [
      'a signature field that shows something else',
      [[10, `${WIDGET}/V 11 0 R/Rect[20 95 120 115]>>`]],
      'a signature field was changed',
    ],
    [
      'fields that are drawn again',
      [[1, catalog('', '6 0 R 7 0 R 10 0 R', `${FORM}/NeedAppearances true`)]],
      'settings of its form were changed',
    ],
    ['an XFA form', [[1, catalog('', '6 0 R 7 0 R 10 0 R', `${FORM}/XFA(x)`)]], 'settings of its form were changed'],
    [
      'another font of the form',
      [
        [1, catalog('', '6 0 R 7 0 R 10 0 R', '/SigFlags 3/DR<</Font<</F1 20 0 R>>>>')],
        [20, '<<>>'],
      ],
      'the resources of its form were changed',
    ],
    [
      'page content as validation data',
      [
        [1, catalog('/DSS<</Certs[4 0 R]>>')],
        [4, stream('', 'BT ET')],
      ],
      'an object was changed as validation data',
    ],
    [
      'page content as metadata',
      [
        [1, catalog('/Metadata 4 0 R')],
        [4, stream('', 'BT ET')],
      ],
      'an object was changed',
    ],
    [
      'the page tree as validation data',
      [
        [1, catalog('/DSS 2 0 R')],
        [2, '<</Type/Pages/Kids[3 0 R]/Count 1/Rotate 90>>'],
      ],
      'an object was changed as validation data',
    ],
    [
      'page content as the appearance of a field',
      [
        [6, `${TEXT_FIELD.replace('8 0 R', '4 0 R')}/V(x)>>`],
        [4, stream('', 'BT ET')],
      ],
      'the appearance of a field is used for something else',
    ],
  ])('%s is not permitted', (_, objects, reason) => {
    expect(changesOf(revised(plain, new Map(objects)))).toBe(`NOT_PERMITTED: ${reason}`)
  })

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['another catalog named by the trailer', swapRoot, 'its catalog was replaced'],
    ['a freed object', (bytes) => freed(bytes, 5), 'object 5 was removed'],
    [
      'so much white space that the end is not found',
      (bytes) => Buffer.concat([bytes, Buffer.alloc(2_000, ' ')]),
      'bytes that belong to no object of the document were added',
    ],
    [
      'bytes after the end',
      (bytes) => Buffer.concat([bytes, Buffer.from('4 0')]),
      'bytes that belong to no object of the document were added',
    ],
    ['a revision in place of its own', replaceRevision, 'the file does not continue the signed document'],
  ])('%s is not permitted', (_, attack, reason) => {
    expect(changesOf(attack(plain))).toBe(`NOT_PERMITTED: ${reason}`)
  })

  it('an object that was missing is not permitted, although a field uses it too', () => {
    const awaiting = simplePdf({
      catalog: `/AcroForm<</Fields[6 0 R]${FORM}>>`,
      page: '/Annots[6 0 R]/Thumb 30 0 R',
      objects: [`${TEXT_FIELD}>>`, '<<>>', stream('/Subtype/Form/BBox[0 0 80 20]', 'old')],
    })
    const file = signFile(unsignedFile(ENTRIES, { original: awaiting }), (digest) => buildCms(key, digest))
    const objects: Objects = [
      [6, `${TEXT_FIELD.replace('8 0 R', '30 0 R')}/V(x)>>`],
      [30, stream('', 'x')],
    ]
    expect(changesOf(revised(file, new Map(objects)))).toBe('NOT_PERMITTED: object 30, which was missing, was added')
  })
})

/** The trailer of a further revision names a copy of the catalog. */
function swapRoot(bytes: Buffer): Buffer {
  const text = revised(bytes, new Map([[20, catalog()]])).toString('latin1')
  const at = text.lastIndexOf('/Root 1 0 R')
  return Buffer.from(`${text.slice(0, at)}/Root 20 0 R${text.slice(at + '/Root 1 0 R'.length)}`, 'latin1')
}

function freed(bytes: Buffer, num: number): Buffer {
  const text = revised(bytes, new Map([[num, 'null']])).toString('latin1')
  const at = text.lastIndexOf(`xref\n${num} 1\n`) + `xref\n${num} 1\n`.length
  return Buffer.from(`${text.slice(0, at)}0000000000 00001 f${text.slice(at + 18)}`, 'latin1')
}

/** The last cross-reference section once more, at the end, with the content of the page elsewhere. */
function replaceRevision(bytes: Buffer): Buffer {
  const content = `4 0 obj\n${stream('', 'BT ET')}\nendobj\n`
  const section = bytes.subarray(openBytes(bytes).startxref).toString('latin1')
  const row = `4 1\n${String(bytes.length).padStart(10, '0')} 00000 n \n`
  const start = bytes.length + content.length
  const table = section.replace('xref\n', `xref\n${row}`).replace(/startxref\n\d+/, `startxref\n${start}`)
  return Buffer.concat([bytes, Buffer.from(content + table, 'latin1')])
}
