// Files that readers do not show alike, and that are normalised.
import { readFileSync } from 'node:fs'
import { fieldCase } from '../../../../support/builders/pdf-fixtures.ts'
import { simpleBuilder, type SimpleOptions, simplePdf } from '../../../../support/builders/pdf-builder.ts'

export const FORGED = '<</Length 43>>stream\nBT /F1 12 Tf 20 100 Td (Price: 999999) Tj ET\nendstream'
export const CLAUSE = 'BT /F1 12 Tf 20 80 Td (Clause) Tj ET'
export const form = (content: string, entries = ''): string =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 200 200]${entries}/Length ${content.length}>>stream\n${content}\nendstream`

/** The page with further entries of its resources; objects from number 6 on. */
export function withResources(resources: string, options: SimpleOptions = {}): Buffer {
  return simplePdf({ page: `/Resources<</Font<</F1 5 0 R>>${resources}>>`, ...options })
}

/** A document with an object 4 that no table lists, before its table or behind its end. */
export function withUnlisted(isBehind = false, header = '4 0 obj'): Buffer {
  const builder = simpleBuilder()
  if (isBehind) return Buffer.concat([builder.table('/Root 1 0 R').bytes(), Buffer.from(`4 0 obj\n${FORGED}\nendobj\n`)])
  return builder.raw(`${header}\n${FORGED}\nendobj\n`).table('/Root 1 0 R').bytes()
}

/** A field "price" of one kind with these entries, in a form with these. */
export function field(entries: string, ofForm = '', appearance = ''): Buffer {
  return simplePdf({
    catalog: `/AcroForm<</Fields[6 0 R]/DA(/Helv 0 Tf 0 g)${ofForm}>>`,
    page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[6 0 R]',
    objects: [
      `<</Type/Annot/Subtype/Widget/F 4/Rect[20 20 180 40]/T(price)${entries}>>`,
      form(appearance, '/Resources<</Font<</F1 5 0 R>>>>'),
    ],
  })
}

/** A note with a type and further entries. */
export function note(entries: string): Buffer {
  return simplePdf({ page: `/Resources<</Font<</F1 5 0 R>>>>/Annots[<</Subtype/${entries}/F 4/Rect[20 20 180 60]>>]` })
}

export const SHOWS_100 = '/Tx BMC BT /F1 9 Tf 2 2 Td (100) Tj ET EMC'
const MISSING = 'leads to object 90, which is missing'
export const content = (text: string): Buffer =>
  simplePdf({ content: `BT /F1 12 Tf 20 100 Td (Hello) Tj ET\n${text}\n${CLAUSE}` })
const damaged = (flaw: string): string => `The content of page 1 is damaged: ${flaw}.`

/** What the upload holds, the reason that is given, and the words of the normalised document. */
export const IRREGULAR: [string, Buffer, string, string?][] = [
  ['a graphics state that is missing', withResources('/ExtGState<</G 90 0 R>>'), `A reference on page 1 ${MISSING}.`],
  ['a drawing that is missing', withResources('/XObject<</X 90 0 R>>'), `A reference on page 1 ${MISSING}.`],
  [
    'a font that is missing in a drawing',
    withResources('/XObject<</X 6 0 R>>', { objects: [form('', '/Resources<</Font<</F1 90 0 R>>>>')] }),
    `A reference on page 1 ${MISSING}.`,
  ],
  [
    'an annotation that is missing',
    simplePdf({ page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[90 0 R]' }),
    `A reference on page 1 ${MISSING}.`,
  ],
  [
    'a soft mask of another generation',
    withResources('/ExtGState<</G<</SMask 6 2 R>>>>', { objects: ['<</S/Alpha/G 7 0 R>>', form('')] }),
    'A reference on page 1 names object 6 with another generation than it has.',
  ],
  ['a content that is not listed', withUnlisted(), 'The file holds an object 4 that its cross-reference table does not list.'],
  [
    'a content that is not listed, with comments in its header',
    withUnlisted(false, '4 % 1\n%%\n0 %\nobj'),
    'The file holds an object 4 that its cross-reference table does not list.',
  ],
  [
    'an outline that is missing, and a content in an attachment',
    simplePdf({
      catalog: '/Outlines 90 0 R',
      objects: [`<</Length ${FORGED.length + 16}>>stream\n4 0 obj\n${FORGED}\nendobj\nendstream`],
    }),
    `A reference in object 1 ${MISSING}, and the file holds another version of object 4.`,
  ],
  ...(['gs', '0 0 rg', '1 m', 'BDC', '/A BDC', 'Do', '[] d', '(a) w', 'BX ri EX', 'BT Tj ET'] as const).map(
    (flaw): [string, Buffer, string, string] => {
      const operator = /(\w+)(?: E[TX])?$/.exec(flaw)?.[1] ?? ''
      return [`"${flaw}"`, content(flaw), damaged(`the operator ${operator} lacks its operands`), 'Hello\nClause']
    },
  ),
  ['a number too many', content('9 0 0 0 rg'), damaged('the operator rg has too many operands'), 'Hello\nClause'],
  ['a number with an exponent', content('1.5e0 w'), damaged('the operator w lacks its operands'), 'Hello\nClause'],
  ['a number with two signs', content('--5 w'), damaged('the operator w lacks its operands'), 'Hello\nClause'],
  [
    'a place with too many numbers',
    content('BT /F1 9 Tf 0 900 20 60 Td (Deposit) Tj ET'),
    damaged('the operator Td has too many operands'),
    'Hello\nDeposit\nClause',
  ],
  ...(['(open', '[ 1 2', '<< /A 1', '<41', 'BI /W 1 /H 1 ID x', 'BI /W 1'] as const).map((end): [string, Buffer, string] => [
    `an end in "${end}"`,
    simplePdf({ content: `BT /F1 12 Tf 20 100 Td (Hello) Tj ET ${end}` }),
    damaged('a string, an array, a dictionary or an image at its end is not closed'),
  ]),
  ...(['Q', 'q Q Q'] as const).map((flaw): [string, Buffer, string, string] => [
    `"${flaw}"`,
    content(flaw),
    damaged('it restores a state that it has not saved'),
    'Hello\nClause',
  ]),
  [
    'a drawing that restores too much',
    withResources('/XObject<</X 6 0 R>>', { objects: [form(`q Q Q ${CLAUSE}`)], content: '/X Do' }),
    'A drawing (object 6) of page 1 is damaged: it restores a state that it has not saved.',
    'Clause',
  ],
  [
    'two fonts with one name',
    simplePdf({ page: '/Resources<</Font<</F1 6 0 R/F1 5 0 R>>>>', objects: ['<</Type/Font/Subtype/Type1/BaseFont/Symbol>>'] }),
    'The key F1 is twice in a dictionary of page 1 (object 3).',
  ],
  [
    'two fonts with one name in a drawing',
    withResources('/XObject<</X 6 0 R>>', { objects: [form('', '/Resources<</Font<</F1 5 0 R/F#31 4 0 R>>>>')] }),
    'The key F1 is twice in a dictionary of page 1 (object 6).',
  ],
  [
    'a code map with two directions',
    withResources('/Font<</F2 6 0 R>>', {
      page: '/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>',
      objects: [
        '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 7 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A>>]>>',
        '<</Type/CMap/WMode 1/Length 12>>stream\n/WMode 0 def\nendstream',
      ],
    }),
    'A font on page 1 writes in two directions (object 7).',
  ],
  [
    'two dictionaries of fonts, which are equal',
    readFileSync(fieldCase('f12-duplicate-font-key')),
    'The key Font is twice in a dictionary of page 1 (object 3).',
    'Lease of a garden plot The yearly rent is 40 EUR. {{signer1}}',
  ],
  [
    'a drawing with an operator that lacks its operand',
    withResources('/XObject<</X 6 0 R>>', { objects: [form(`gs ${CLAUSE}`)], content: '/X Do' }),
    'A drawing (object 6) of page 1 is damaged: the operator gs lacks its operands.',
    'Clause',
  ],
  [
    'a field without an appearance',
    field('/FT/Tx/V(999)'),
    'The field "price" has a value and no appearance, on page 1.',
    'Hello\n999',
  ],
  [
    'a choice without an appearance',
    field('/FT/Ch/Ff 131072/V(a)/Opt[[(a)(999)]]'),
    'The field "price" has a value and no appearance, on page 1.',
    'Hello\n999',
  ],
  [
    'a field that shows an older value',
    field('/FT/Tx/V(999)/AP<</N 7 0 R>>', '/NeedAppearances true', SHOWS_100),
    'The field "price" does not show the value that it holds, on page 1.',
    'Hello\n999',
  ],
  [
    'a value in Greek',
    field('/FT/Tx/V<FEFF03B103B2>'),
    'The field "price" has a value and no appearance, on page 1.',
    'Hello\nαβ',
  ],
  ['a box without an appearance', field('/FT/Btn/V/Yes/AS/Yes'), 'The field "price" has a value and no appearance, on page 1.'],
  [
    'a note without an appearance',
    simplePdf({
      page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[<</Subtype/FreeText/F 4/Rect[20 20 180 60]/Contents(Deposit)/DA(/Helv 9 Tf 0 g)>>]',
    }),
    'A note has no appearance, on page 1.',
    'Hello\nDeposit',
  ],
  [
    'a stamp without an appearance',
    note('Stamp/Name/NotApproved'),
    'A stamp has no appearance, on page 1.',
    'Hello\nNOT\nAPPROVED',
  ],
  ...(
    [
      'Line/L[20 30 180 30]',
      'Square/CA .5',
      'Circle/IC[1 0 0]',
      'Polygon/Vertices[20 20 90 60 180 20]',
      'Caret',
      'Redact',
    ] as const
  ).map((subtype): [string, Buffer, string] => [
    `a shape without an appearance: ${subtype}`,
    note(subtype),
    `A note (${/^\w+/.exec(subtype)?.[0]}) has no appearance, on page 1.`,
  ]),
]
