// Cross-reference sections that loop or count missing entries.
import { type Bomb, repeated, xrefStream } from './bomb.ts'

const head = '%PDF-1.7\n'

function xrefOnly(table: string): Buffer {
  return Buffer.from(`${head}${table}\nstartxref\n${head.length}\n%%EOF\n`)
}

export const CROSS_REFERENCES: readonly Bomb[] = [
  {
    name: 'a cross-reference table that follows itself',
    build: () => xrefOnly(`xref\n0 0\ntrailer\n<</Size 1/Root 1 0 R/Prev ${head.length}>>`),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a hybrid table that names itself',
    build: () => xrefOnly(`xref\n0 0\ntrailer\n<</Size 1/Root 1 0 R/XRefStm ${head.length}>>`),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a table that counts billions',
    build: () => xrefOnly('xref\n0 9999999999\n0000000000 65535 f \ntrailer\n<</Size 1/Root 1 0 R>>'),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a million subsections',
    build: () => xrefOnly(`xref\n${'0 0\n'.repeat(1_000_000)}trailer\n<</Size 1/Root 1 0 R>>`),
    code: 'DOCUMENT_INVALID',
  },
  { name: 'two thousand revisions', build: () => revisions(2_000), code: 'DOCUMENT_TOO_COMPLEX' },
  {
    name: 'a /Size of billions',
    build: () => xrefOnly('xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 9999999999/Root 1 0 R>>'),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a stream with entries of no width',
    build: () => xrefStream('/W[0 0 0]/Size 9000000/Index[0 8388607]', repeated('\0', 16)),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a stream with entries of any width',
    build: () => xrefStream('/W[999999999 999999999 9]/Size 5', repeated('\0', 16)),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a stream that indexes billions',
    build: () => xrefStream('/W[1 1 1]/Size 5/Index[0 9999999999]', repeated('\0', 16)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
]

function revisions(count: number): Buffer {
  let file = head
  let last = 0
  for (let revision = 0; revision < count; revision++) {
    const at = file.length
    file += `xref\n0 0\ntrailer\n<</Size 1/Root 1 0 R${revision === 0 ? '' : `/Prev ${last}`}>>\n`
    last = at
  }
  return Buffer.from(`${file}startxref\n${last}\n%%EOF\n`)
}
