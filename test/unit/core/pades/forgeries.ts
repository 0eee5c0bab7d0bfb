// Forgeries from a genuine sealed file, without its key. Each one changes what a viewer shows, or could show.
import { readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { openBytes } from '../../../support/judges/open-pdf.ts'
import { gapOf } from './sealed-file.ts'

/** The page and its content in the document of sealed-file.ts. */
const PAGE = 3
const CONTENT = 4
const FORGED_CONTENT = stream('BT /F1 12 Tf 20 100 Td (Price: 999999) Tj ET')

/** Incremental saving: a further revision replaces the content of the page. */
export function saveIncrementally(sealed: Buffer): Buffer {
  return revised(sealed, new Map([[CONTENT, FORGED_CONTENT]]))
}

/** The same, with the signature dictionary rewritten, so that the newest revision contains a signature. */
export function saveWithCopiedSignature(sealed: Buffer): Buffer {
  const { num, body } = signatureObject(sealed)
  return revised(
    sealed,
    new Map([
      [CONTENT, FORGED_CONTENT],
      [num, body],
    ]),
  )
}

/** The same with a byte range that covers the new file. */
export function saveWithWiderRange(sealed: Buffer): Buffer {
  const { num, body } = signatureObject(sealed)
  const objects = new Map([
    [CONTENT, FORGED_CONTENT],
    [num, body],
  ])
  const draft = revised(sealed, objects).toString('latin1')
  const start = draft.indexOf('/Contents <', sealed.length) + '/Contents '.length
  const end = draft.indexOf('>', start) + 1
  return revised(sealed, objects.set(num, withRange(body, `0 ${start} ${end} ${draft.length - end}`)))
}

/** Adds a revision with an annotation over the text. */
export function overlayAnnotation(sealed: Buffer): Buffer {
  const page = objectBody(sealed, PAGE)
  const annotation = '<</Type/Annot/Subtype/FreeText/Rect[20 95 120 115]/C[1 1 1]/DA(/F1 12 Tf)/Contents(Price: 999999)>>'
  const { size } = readSealPlan(openBytes(sealed), [])
  const annots = page.replace(/\/Annots\s*\[([^\]]*)\]/, `/Annots[$1 ${size} 0 R]`)
  if (annots === page) throw new Error('the page has no annotations to add to')
  return revised(
    sealed,
    new Map([
      [PAGE, annots],
      [size, annotation],
    ]),
  )
}

/**
 * Signature wrapping: the signed bytes stay unchanged, but the second part of the range moves to the end. The forger's cross-reference
 * table is at the position that startxref names; the forger's signature dictionary contains the new range.
 */
export function wrapSignature(sealed: Buffer): Buffer {
  const { gapStart, gapEnd } = gapOf(sealed)
  const { num, body } = signatureObject(sealed)
  const { startxref, size, root } = lastTrailer(sealed)
  const behind = sealed.subarray(gapEnd)
  /** The content between the gap and the second part, which starts at `next`. */
  const gap = (next: number): string => {
    const contentObject = `${CONTENT} 0 obj\n${FORGED_CONTENT}\nendobj\n`
    const range = `0 ${gapStart} ${next} ${behind.length}`
    const table = (at: number) => {
      const rows = `${CONTENT} 1\n${row(at)}${num} 1\n${row(at + contentObject.length)}`
      const prev = String(next + startxref - gapEnd).padStart(10, '0')
      return `xref\n${rows}trailer\n<</Size ${size}/Root ${root}/Prev ${prev}>>\n`
    }
    const objects = `${contentObject}${num} 0 obj\n${withRange(body, range)}\nendobj\n`
    return ' '.repeat(startxref - gapEnd) + table(startxref + table(0).length) + objects
  }
  const next = gapEnd + gap(0).length
  return Buffer.concat([sealed.subarray(0, gapEnd), Buffer.from(gap(next), 'latin1'), behind])
}

/** Overwrites an entry of the signature dictionary without changing its length. */
export function overwrite(sealed: Buffer, pattern: RegExp, by: string): Buffer {
  const text = sealed.toString('latin1')
  const match = [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)
  if (match === undefined || by.length > match[0].length) throw new Error('there is nothing to overwrite')
  return Buffer.from(
    text.slice(0, match.index) + by.padEnd(match[0].length) + text.slice(match.index + match[0].length),
    'latin1',
  )
}

/** Rewrites the signature dictionary in a new revision, with one entry changed. */
export function reviseSignature(sealed: Buffer, pattern: RegExp, by: string): Buffer {
  const { num, body } = signatureObject(sealed)
  if (!pattern.test(body)) throw new Error('there is nothing to change')
  return revised(
    sealed,
    new Map([
      [CONTENT, FORGED_CONTENT],
      [num, body.replace(pattern, by)],
    ]),
  )
}

/** Adds a revision with these objects. */
export function revised(bytes: Buffer, objects: ReadonlyMap<number, string>): Buffer {
  const { startxref, size, root } = lastTrailer(bytes)
  let text = ''
  const rows: string[] = []
  for (const [num, body] of [...objects].sort(([one], [other]) => one - other)) {
    rows.push(`${num} 1\n${row(bytes.length + text.length)}`)
    text += `${num} 0 obj\n${body}\nendobj\n`
  }
  const next = Math.max(size, ...[...objects.keys()].map((num) => num + 1))
  const trailer = `trailer\n<</Size ${next}/Root ${root}/Prev ${startxref}>>\n`
  const end = `startxref\n${bytes.length + text.length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(`${text}xref\n${rows.join('')}${trailer}${end}`, 'latin1')])
}

function signatureObject(sealed: Buffer): { num: number; body: string } {
  const match = [...sealed.toString('latin1').matchAll(/(\d+) 0 obj\n(<<[^<>]*\/ByteRange\[[^<>]*<[0-9a-f]+>>>)\nendobj/g)].at(
    -1,
  )!
  return { num: Number(match[1]), body: match[2]! }
}

function objectBody(bytes: Buffer, num: number): string {
  return [...bytes.toString('latin1').matchAll(new RegExp(`\\b${num} 0 obj\\n(.*?)\\nendobj`, 'gs'))].at(-1)![1]!
}

function lastTrailer(bytes: Buffer): { startxref: number; size: number; root: string } {
  const text = bytes.toString('latin1')
  const [, size, root] = [...text.matchAll(/trailer\n<<\/Size (\d+).*?\/Root (\d+ \d+ R)/gs)].at(-1)!
  return { startxref: Number([...text.matchAll(/startxref\n(\d+)/g)].at(-1)![1]), size: Number(size), root: root! }
}

function withRange(body: string, range: string): string {
  return body.replace(/\/ByteRange\[[^\]]*\]/, `/ByteRange[${range.padEnd(34)}]`)
}

function row(offset: number): string {
  return `${String(offset).padStart(10, '0')} 00000 n \n`
}

function stream(data: string): string {
  return `<</Length ${data.length}>>\nstream\n${data}\nendstream`
}
