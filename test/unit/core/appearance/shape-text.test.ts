// Chooses faces and positions glyphs: never a box for a missing glyph, never wider than the available space.
import { fc, runs } from '../../../support/builders/properties.ts'
import { describe, expect, it } from 'vitest'
import { fitLine, fitLines } from '#core/appearance/fit-text.ts'
import { shapeText, splitGraphemes } from '#core/appearance/shape-text.ts'

function lettersOf({ runs }: Awaited<ReturnType<typeof shapeText>>): string {
  return runs.flatMap(({ glyphs }) => glyphs.map(({ text }) => text)).join('')
}

describe('shaping', () => {
  it('never draws the empty glyph of a font, and counts what it shows as a replacement', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 12 }), async (text) => {
        const units = splitGraphemes(text)
        const shaped = await shapeText(units, 400)
        for (const { glyphs } of shaped.runs) for (const { id } of glyphs) expect(id).not.toBe(0)
        expect(shaped.missing).toBeLessThanOrEqual(units.length)
        expect(shaped.runs.length > 0).toBe(units.length > 0)
      }),
      { numRuns: runs(50) },
    )
  })

  it('takes no more memory for many texts than for one', async () => {
    const line = (index: number) => splitGraphemes(`${index} ${'a'.repeat(200)}`)
    await shapeText(line(0), 400)
    const before = process.memoryUsage().external
    for (let index = 1; index <= 600; index++) await shapeText(line(index), 400)
    expect((process.memoryUsage().external - before) / 2 ** 20).toBeLessThan(2)
  })

  it('keeps every letter of a line in one direction, in order', async () => {
    for (const text of ['Ångström & Co. — “fi”', 'Łódź ῾Ελλάς Ёж Ế', 'ศรีสุข', '王 김 やま']) {
      expect(lettersOf(await shapeText(splitGraphemes(text), 600))).toBe(text.normalize('NFC'))
    }
  })

  it('places right-to-left letters from the right', async () => {
    const { runs } = await shapeText(splitGraphemes('אב'), 400)
    expect(runs[0]?.isRtl).toBe(true)
    expect(runs[0]?.glyphs.map(({ text }) => text)).toEqual(['ב', 'א'])
    expect(runs[0]!.glyphs[0]!.x).toBeLessThan(runs[0]!.glyphs[1]!.x)
  })

  it('keeps a Latin word readable inside Hebrew', async () => {
    const { runs } = await shapeText(splitGraphemes('דוד (Smith) כהן'), 400)
    const seen = runs.flatMap(({ glyphs }) => glyphs).toSorted((a, b) => a.x - b.x)
    expect(seen.map(({ text }) => text).join('')).toBe('ןהכ (Smith) דוד')
  })

  it('joins Arabic letters and separates dots from letters', async () => {
    const { runs } = await shapeText(splitGraphemes('بن'), 400)
    const glyphs = runs.flatMap((run) => run.glyphs)
    expect(glyphs.filter(({ text }) => text !== '').map(({ text }) => text)).toEqual(['ن', 'ب'])
    expect(glyphs.length).toBeGreaterThan(2)
  })

  it('takes an accent from another face when no face has the accented letter', async () => {
    const shaped = await shapeText(splitGraphemes('ė\u0303'), 400)
    expect(shaped.missing).toBe(0)
    expect(shaped.runs).toHaveLength(2)
  })

  it('uses the Han shapes of the neighbouring script', async () => {
    const faceOf = async (text: string) => (await shapeText(splitGraphemes(text), 400)).runs.map(({ face }) => face.name)
    expect((await faceOf('直')).join()).toMatch(/^noto-sans-sc-/)
    expect((await faceOf('直ひ')).join()).toMatch(/^noto-sans-jp-/)
    expect((await faceOf('直김')).join()).toMatch(/^noto-sans-kr-/)
  })

  it('drops controls and direction overrides, keeps joiners', () => {
    expect(splitGraphemes(' a\u202Eb\u0000c\t d\u200B ')).toEqual(['a', 'b', 'c', ' ', 'd'])
    expect(splitGraphemes('क\u094D\u200Dष').join('')).toBe('क\u094D\u200Dष')
  })
})

describe('fitting', () => {
  const box = { weight: 400, width: 100, size: 9, smallestSize: 6 } as const

  it('never draws wider than its box nor larger or smaller than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 200 }), async (text) => {
        const units = splitGraphemes(text)
        for (const { shaped, size } of [
          await fitLine(units, box),
          ...(await fitLines(units, { ...box, most: 2, breaks: / / })),
        ]) {
          expect((shaped.width * size) / 1000).toBeLessThanOrEqual(box.width + 0.001)
          expect(size).toBeGreaterThanOrEqual(box.smallestSize)
          expect(size).toBeLessThanOrEqual(box.size)
        }
      }),
      { numRuns: runs(30) },
    )
  })

  it('shrinks before it truncates', async () => {
    const { size, shaped } = await fitLine(splitGraphemes('A name a little too long for nine'), box)
    expect(size).toBeLessThan(9)
    expect(lettersOf(shaped)).toBe('A name a little too long for nine')
  })

  it('truncates with an ellipsis only what does not fit otherwise', async () => {
    const [first, second] = await fitLines(splitGraphemes('word '.repeat(40)), { ...box, most: 2, breaks: / / })
    expect(lettersOf(first!.shaped)).toMatch(/^(word )+word$/)
    expect(lettersOf(second!.shaped)).toMatch(/^(word )+.*…$/)
  })
})
