// What a seal shows and what can be copied from it, for names in any script and of any length.
import { create } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { drawSealPage } from '#core/appearance/draw-seal-page.ts'
import type { SealContents } from '#core/appearance/seal-contents.ts'
import { LAYOUT_SCALES, SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { writePng } from '#core/png/write-png.ts'
import { readActualTexts, readContent, readTextItems } from '../pades/pdf-text.ts'

const BLANK = writePng({ width: 4, height: 4, pixels: Buffer.alloc(64) })
const INKED = writePng({ width: 40, height: 20, pixels: Buffer.alloc(40 * 20 * 4, 'ff000080', 'hex') })
const CONTENTS: SealContents = {
  signerName: 'Alice Example',
  signerEmail: 'alice@example.com',
  organisationName: 'Garden Club e.V.',
  signedAt: new Date('2026-11-21T07:00:00.789Z'),
  signatureId: '6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01',
  verificationCode: 'Zk3vY1q0m7R2bQ9sT4uW8x',
  verifyUrl: 'https://sign.example.com/verify?id=6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a01&h=Zk3vY1q0m7R2bQ9sT4uW8x',
  imagePng: INKED,
}

function draw(contents: Partial<SealContents>): Promise<Buffer> {
  return drawSealPage({ ...CONTENTS, ...contents })
}

const CAPTION = 'Electronically signed by'

/** What the largest layout shows between the caption and the organisation. */
async function shownName(pdf: Buffer): Promise<string[]> {
  const texts = (await readTextItems(pdf)).map(({ text }) => text)
  return texts.slice(texts.indexOf(CAPTION) + 1, texts.indexOf('Requested by Garden Club e.V.'))
}

describe('a seal', () => {
  // requirements: decisions/smaller/words of the seal
  it('shows name, organisation, readable time, e-mail, id and code as text', async () => {
    const pdf = await draw({})
    const lines = (await readTextItems(pdf)).map(({ text }) => text)
    const { signerName, signerEmail, signatureId, verificationCode } = CONTENTS
    expect(lines).toEqual([
      CAPTION,
      signerName,
      'Requested by Garden Club e.V.',
      '21 November 2026, 07:00 UTC',
      signerEmail,
      `ID ${signatureId}`,
      `Code ${verificationCode}`,
      'Scan to verify',
    ])
    expect(readActualTexts(readContent(pdf))).toEqual(lines)
  })

  it.each(LAYOUT_SCALES.map((scale, index) => [Math.round(scale * SEAL_WIDTH), scale, index + 1] as const))(
    'of %s points is readable on paper, inside its frame, and has every text',
    async (_width, scale, page) => {
      const pdf = await draw({ signerName: 'Maximiliane Alexandra von Hohenstein' })
      const content = readContent(pdf, page)
      for (const { text, x, y, width, size } of await readTextItems(pdf, page)) {
        expect(size * scale, text).toBeGreaterThan(text === 'Scan to verify' ? 5.9 : 6.49)
        expect(x, text).toBeGreaterThanOrEqual(8)
        expect(x + width, text).toBeLessThanOrEqual(SEAL_WIDTH - 2)
        expect(y - size * 0.25, text).toBeGreaterThan(0)
        expect(y + size * 0.75, text).toBeLessThan(SEAL_HEIGHT)
      }
      const { signerEmail, signatureId, verificationCode } = CONTENTS
      const kept = ['Maximiliane Alexandra von Hohenstein', `ID ${signatureId}`, `Code ${verificationCode}`]
      const texts = readActualTexts(content)
      expect(texts).toEqual(expect.arrayContaining([CAPTION, ...kept, signerEmail, 'Requested by Garden Club e.V.']))
      const hidden = readActualTexts(
        [...content.matchAll(/\/Span.*?BDC q 3 Tr/gs)].map(([part]) => part.slice(part.lastIndexOf('/Span'))).join(''),
      )
      for (const text of kept) expect(hidden).not.toContain(text)
      expect(content).not.toMatch(/1 g [^]* re B/)
    },
  )

  it('is the same file for the same contents', async () => {
    expect(await draw({})).toEqual(await draw({}))
  })

  it('links to the verify page by a QR code', async () => {
    const content = readContent(await draw({}))
    const { modules } = create(CONTENTS.verifyUrl, { errorCorrectionLevel: 'M' })
    const drawn = Buffer.alloc(modules.size ** 2)
    for (const [, x, y, width] of content.matchAll(/^(\d+) (\d+) (\d+) 1 re$/gm)) {
      const start = (modules.size - 1 - Number(y)) * modules.size + Number(x)
      drawn.fill(1, start, start + Number(width))
    }
    expect(drawn).toEqual(Buffer.from(modules.data))
  })

  it('shows the drawn signature, and only the name without one', async () => {
    expect(readContent(await draw({}))).toMatch(/\/Ink\S* Do/)
    expect(readContent(await draw({ imagePng: BLANK }))).not.toMatch(/ Do/)
  })

  it.each([
    ['Łukasz Żółć', 1],
    ['Αλέξανδρος Παπαδόπουλος', 1],
    ['Екатерина Щербакова', 1],
    ['Nguyễn Thị Ánh', 1],
    ['สมชาย ใจดีที่สุด', 1],
    ['श्री राजेश्वर कुमार', 1],
    ['王小明', 1],
    ['山田 太郎 やまだ', 1],
    ['김철수', 1],
    ['Միքայել', 1],
    ['მიხეილ', 1],
    ['শেখ হাসিনা', 1],
    ['தமிழ்', 1],
  ])('names %s exactly', async (signerName) => {
    const pdf = await draw({ signerName })
    expect(readActualTexts(readContent(pdf))[1]).toBe(signerName)
    expect((await shownName(pdf)).join('')).not.toBe('')
  })

  it.each(['محمد بن عبد الله الأنصاري', 'דוד בן־גוריון'])('lets %s be read from its glyphs', async (signerName) => {
    const pdf = await draw({ signerName })
    // poppler and MuPDF would reverse it as ActualText.
    expect(readActualTexts(readContent(pdf))).not.toContain(signerName)
    // pdf.js returns the words of a line from left to right, each in reading order.
    const words = await shownName(pdf)
    expect(words.toSorted().join(' ')).toBe(signerName.split(' ').toSorted().join(' '))
  })

  it('positions a mark above its letter as the font defines', async () => {
    const heights = [...readContent(await draw({ signerName: 'مُحَمَّد' })).matchAll(/1 0 0 1 \S+ (\S+) Tm/g)].map(([, y]) =>
      Number(y),
    )
    expect(new Set(heights).size).toBeGreaterThan(1)
  })

  it('keeps the exact name when no font has its letters, and shows the email instead', async () => {
    const pdf = await draw({ signerName: '😀😀', signerEmail: 'smile@example.com' })
    expect(readActualTexts(readContent(pdf))[1]).toBe('😀😀')
    expect((await readTextItems(pdf)).filter(({ text }) => text === 'smile@example.com')).toHaveLength(2)
  })

  it('shows a box for a letter that no font has', async () => {
    const pdf = await draw({ signerName: 'Anna 😀 Nowak' })
    expect(readActualTexts(readContent(pdf))[1]).toBe('Anna 😀 Nowak')
    expect((await shownName(pdf)).join(' ')).toMatch(/^Anna\s+\u25a1\s+Nowak$/)
  })

  it('is not reordered by a direction override in the name', async () => {
    expect((await shownName(await draw({ signerName: 'Anna \u202Ekawon' }))).join(' ')).toBe('Anna kawon')
  })

  it.each([
    ['a long name', { signerName: 'Maximiliane Alexandra von Hohenstein-Wittgenstein zu Sayn' }],
    ['a name of 255 wide letters', { signerName: 'W'.repeat(255) }],
    ['a name of 255 Arabic letters', { signerName: 'م'.repeat(255) }],
    ['an e-mail of 254 characters', { signerEmail: `${'m'.repeat(64)}@${'long.'.repeat(35)}example.com` }],
  ])('keeps %s inside its panel and extractable', async (_, contents) => {
    const pdf = await draw(contents)
    for (const { text, x, y, width, size } of await readTextItems(pdf)) {
      expect(x, text).toBeGreaterThanOrEqual(8)
      expect(x + width, text).toBeLessThanOrEqual(SEAL_WIDTH - 4)
      expect(y, text).toBeGreaterThan(2)
      expect(y + size * 0.75, text).toBeLessThan(SEAL_HEIGHT)
    }
    expect(readActualTexts(readContent(pdf))).toContain(Object.values(contents)[0])
  })

  it('breaks a long name at a space', async () => {
    const lines = await shownName(await draw({ signerName: 'Maximiliane Alexandra von Hohenstein-Wittgenstein zu Sayn' }))
    expect(lines).toHaveLength(3)
    expect(lines.join(' ').replace('- ', '-')).toBe('Maximiliane Alexandra von Hohenstein-Wittgenstein zu Sayn')
  })

  it('has the size that placement uses', async () => {
    expect((await draw({})).toString('latin1')).toContain(`/MediaBox [ 0 0 ${SEAL_WIDTH} ${SEAL_HEIGHT} ]`)
  })
})
