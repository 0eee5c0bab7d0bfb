// Builds a document of any number of pages on the fly, because large files should not be committed.
import { deflateSync } from 'node:zlib'

const KIDS_PER_NODE = 50

/** A valid PDF 1.4 with a balanced page tree, one deflated text stream per page, and {{signer1}}, {{signer2}} on the last page. */
export function buildLargePdf(pageCount: number): Buffer {
  const objects: Buffer[] = []
  const add = (body: string | Buffer): number => objects.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'))
  const catalog = add('')
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  const pages: number[] = []
  for (let page = 1; page <= pageCount; page++) {
    const contents = add(pageContent(page, page === pageCount))
    pages.push(add(`<</Type/Page/MediaBox[0 0 595 842]/Resources<</Font<</F1 ${font} 0 R>>>>/Contents ${contents} 0 R`))
  }
  const root = growPageTree(objects, pages)
  objects[catalog - 1] = Buffer.from(`<</Type/Catalog/Pages ${root} 0 R>>`)
  return writeFile(objects, catalog)
}

function pageContent(page: number, last: boolean): Buffer {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `(Page ${page}, line ${line + 1}: the tenant keeps the paths clear.) Tj T*`,
  )
  const markers = last ? 'BT /F1 11 Tf 72 100 Td ({{signer1}}) Tj 260 0 Td ({{signer2}}) Tj ET\n' : ''
  const data = deflateSync(`BT /F1 11 Tf 15 TL 72 780 Td ${lines.join('\n')} ET\n${markers}`)
  return Buffer.concat([Buffer.from(`<</Filter/FlateDecode/Length ${data.length}>>\nstream\n`), data, Buffer.from('\nendstream')])
}

// Nodes are closed here, because a page knows its /Parent only once that has a number. Returns the root's number.
function growPageTree(objects: Buffer[], leaves: readonly number[]): number {
  let level = leaves.map((number) => ({ number, count: 1 }))
  do {
    const parents: typeof level = []
    for (let from = 0; from < level.length; from += KIDS_PER_NODE) {
      const kids = level.slice(from, from + KIDS_PER_NODE)
      const count = kids.reduce((sum, kid) => sum + kid.count, 0)
      const list = kids.map((kid) => `${kid.number} 0 R`).join(' ')
      const number = objects.push(Buffer.from(`<</Type/Pages/Count ${count}/Kids[${list}]`))
      for (const kid of kids) closeNode(objects, kid.number, `/Parent ${number} 0 R>>`)
      parents.push({ number, count })
    }
    level = parents
  } while (level.length > 1)
  const root = level[0]?.number ?? 0
  closeNode(objects, root, '>>')
  return root
}

function closeNode(objects: Buffer[], number: number, ending: string): void {
  objects[number - 1] = Buffer.concat([objects[number - 1] ?? Buffer.alloc(0), Buffer.from(ending)])
}

function writeFile(objects: readonly Buffer[], catalog: number): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const rows = ['0000000000 65535 f \n']
  for (const [index, body] of objects.entries()) {
    rows.push(`${String(length).padStart(10, '0')} 00000 n \n`)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  }
  const trailer = `trailer\n<</Size ${rows.length}/Root ${catalog} 0 R>>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${rows.length}\n${rows.join('')}${trailer}`)])
}
