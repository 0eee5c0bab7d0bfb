// The lines of text of a seal at one size. What does not fit is not shown, but stays in the file as text that can be searched and copied.
import { fitLines, type FittedLine } from './fit-text.ts'
import type { SealContents } from './seal-contents.ts'
import { readableDate } from './readable-date.ts'
import type { SealLayout } from './seal-layout.ts'
import { shapeText, splitGraphemes } from './shape-text.ts'

export type LineName = 'caption' | 'name' | 'organisation' | 'date' | 'email' | 'id' | 'code'

export interface SealText {
  readonly name: LineName
  readonly text: string
  readonly lines: readonly FittedLine[]
  /** False where there is no room for it. */
  readonly shown: boolean
}

/** Name, date, id and code always stay. */
const DROPPED_FIRST: readonly LineName[] = ['caption', 'organisation', 'email']

/** From top to bottom. */
export async function sealTexts(contents: SealContents, layout: SealLayout, hasInk: boolean): Promise<SealText[]> {
  const besideInk = hasInk && layout.inkInText && layout.ink ? layout.ink.x - layout.text.x - 4 : layout.text.width
  const small = { weight: 400, width: layout.text.width, size: layout.textSize, smallestSize: layout.textSize } as const
  const fit = async (name: LineName, text: string, most: number, breaks?: RegExp): Promise<SealText> => ({
    name,
    text,
    lines: await fitLines(splitGraphemes(text), { ...small, most, ...(breaks && { breaks }) }),
    shown: true,
  })
  const texts = [
    await fit('caption', 'Electronically signed by', 1),
    await fitName(contents, layout, besideInk),
    ...(contents.organisationName === '' ? [] : [await fit('organisation', `Requested by ${contents.organisationName}`, 1)]),
    await fit('date', readableDate(contents.signedAt, layout.shortDate), 1),
    await fit('email', contents.signerEmail, 1),
    await fit('id', `ID ${contents.signatureId}`, 2, /[ -]/),
    await fit('code', `Code ${contents.verificationCode}`, 2, /$^/),
  ]
  return dropToFit(texts, layout.lines)
}

async function fitName({ signerName, signerEmail }: SealContents, layout: SealLayout, width: number): Promise<SealText> {
  const most = layout.inkInText ? 3 : 2
  const box = { weight: 600, width, size: layout.nameSize, smallestSize: layout.textSize, most, breaks: /[ -]/ } as const
  const units = splitGraphemes(signerName)
  // A name without a single glyph in any font is replaced by the email; the exact name stays in ActualText.
  const { missing } = await shapeText(units, 600)
  const lines = await fitLines(missing < units.length ? units : splitGraphemes(signerEmail), box)
  return { name: 'name', text: signerName, lines, shown: true }
}

function dropToFit(texts: readonly SealText[], most: number): SealText[] {
  let left = texts.reduce((sum, { lines }) => sum + lines.length, 0)
  const dropped = new Set<LineName>()
  for (const name of DROPPED_FIRST) {
    if (left <= most) break
    dropped.add(name)
    left -= texts.find((text) => text.name === name)?.lines.length ?? 0
  }
  return texts.map((text) => ({ ...text, shown: !dropped.has(text.name) }))
}
