// A further revision with a cross-reference stream, whose members are in an object stream.
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { rawOf } from '#core/pdf/read/value.ts'

/** Appends the objects as they are, and the members in an object stream. */
export function appendObjectStream(
  bytes: Buffer,
  members: ReadonlyMap<number, string>,
  objects: ReadonlyMap<number, string> = new Map(),
): Buffer {
  const { size, startxref, trailer } = openBytes(bytes)
  const [container, table] = [size, size + 1]
  const rows: { num: number; row: Buffer }[] = []
  let text = ''
  const put = (num: number, body: string): void => {
    rows.push({ num, row: rowOf(1, bytes.length + text.length, 0) })
    text += `${num} 0 obj\n${body}\nendobj\n`
  }
  for (const [num, body] of objects) put(num, body)
  let at = 0
  const head = [...members].map(([num, body], index) => {
    rows.push({ num, row: rowOf(2, container, index) })
    const pair = `${num} ${at}`
    at += body.length + 1
    return pair
  })
  const data = `${head.join(' ')}\n${[...members.values()].join('\n')}`
  const first = data.indexOf('\n') + 1
  put(container, `<</Type/ObjStm/N ${members.size}/First ${first}/Length ${data.length}>>\nstream\n${data}\nendstream`)
  const start = bytes.length + text.length
  rows.push({ num: table, row: rowOf(1, start, 0) })
  rows.sort((one, other) => one.num - other.num)
  const kept = ['Root', 'Info'].flatMap((key) => {
    const value = trailer.entries.get(key)
    return value === undefined ? [] : [`/${key} ${rawOf(value).toString('latin1')}`]
  })
  const entries = `/Type/XRef/W[1 4 2]/Index[${rows.map(({ num }) => `${num} 1`).join(' ')}]/Size ${Math.max(...rows.map(({ num }) => num)) + 1}${kept.join('')}/Prev ${startxref}`
  return Buffer.concat([
    bytes,
    Buffer.from(`${text}${table} 0 obj\n<<${entries}/Length ${rows.length * 7}>>\nstream\n`, 'latin1'),
    ...rows.map(({ row }) => row),
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`, 'latin1'),
  ])
}

function rowOf(type: number, second: number, third: number): Buffer {
  const row = Buffer.alloc(7)
  row.writeUInt8(type)
  row.writeUInt32BE(second, 1)
  row.writeUInt16BE(third, 5)
  return row
}
