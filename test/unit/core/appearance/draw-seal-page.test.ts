// What a seal shows and what can be copied from it, for names in any script and of any length.
import { create } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { drawSealPage, type SealContents } from '#core/appearance/draw-seal-page.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
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

describe('a seal', () => {
  it('shows name, e-mail, time to the second, id and code as text', async () => {
    const pdf = await draw({})
    const lines = (await readTextItems(pdf)).map(({ text }) => text)
    const { signerName, signerEmail, signatureId, verificationCode } = CONTENTS
    expect(lines).toEqual([signerName, signerEmail, '2026-11-21T07:00:00Z', `ID ${signatureId}`, `Code ${verificationCode}`])
    expect(readActualTexts(readContent(pdf))).toEqual(lines)
  })

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
    expect(readActualTexts(readContent(pdf))[0]).toBe(signerName)
    const shown = (await readTextItems(pdf)).filter(({ y }) => y > 25)
    expect(shown.map(({ text }) => text).join('')).not.toBe('')
  })

  it.each(['محمد بن عبد الله الأنصاري', 'דוד בן־גוריון'])('lets %s be read from its glyphs', async (signerName) => {
    const pdf = await draw({ signerName })
    // poppler and MuPDF would reverse it as ActualText.
    expect(readActualTexts(readContent(pdf))).not.toContain(signerName)
    // pdf.js returns the words of a line from left to right, each in reading order.
    const words = (await readTextItems(pdf)).filter(({ y }) => y > 25).map(({ text }) => text)
    expect(words.toReversed().join(' ')).toBe(signerName)
  })

  it('positions a mark above its letter as the font defines', async () => {
    const heights = [...readContent(await draw({ signerName: 'مُحَمَّد' })).matchAll(/1 0 0 1 \S+ (\S+) Tm/g)].map(([, y]) =>
      Number(y),
    )
    expect(heights.filter((y) => y > 31.2 && y < 36)).not.toEqual([])
  })

  it('keeps the exact name when no font has its letters, and shows the email instead', async () => {
    const pdf = await draw({ signerName: '😀😀', signerEmail: 'smile@example.com' })
    expect(readActualTexts(readContent(pdf))[0]).toBe('😀😀')
    expect((await readTextItems(pdf)).filter(({ text }) => text === 'smile@example.com')).toHaveLength(2)
  })

  it('leaves out only letters that no font has', async () => {
    const pdf = await draw({ signerName: 'Anna 😀 Nowak' })
    expect(readActualTexts(readContent(pdf))[0]).toBe('Anna 😀 Nowak')
    expect((await readTextItems(pdf))[0]?.text).toMatch(/^Anna\s+Nowak$/)
  })

  it('is not reordered by a direction override in the name', async () => {
    const [first] = await readTextItems(await draw({ signerName: 'Anna \u202Ekawon' }))
    expect(first?.text).toBe('Anna kawon')
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
      expect(x + width, text).toBeLessThanOrEqual(148)
      expect(y, text).toBeGreaterThan(3)
      expect(y + size, text).toBeLessThan(43)
      expect(size, text).toBeGreaterThanOrEqual(4.15)
    }
    expect(readActualTexts(readContent(pdf))).toContain(Object.values(contents)[0])
  })

  it('breaks a long name at a space', async () => {
    const shown = await readTextItems(await draw({ signerName: 'Maximiliane Alexandra von Hohenstein-Wittgenstein zu Sayn' }))
    const lines = shown.filter(({ y }) => y > 25).map(({ text }) => text)
    expect(lines).toHaveLength(2)
    expect(lines.join(' ')).toBe('Maximiliane Alexandra von Hohenstein-Wittgenstein zu Sayn')
  })

  it('has the size that placement uses', async () => {
    expect((await draw({})).toString('latin1')).toContain(`/MediaBox [ 0 0 ${SEAL_WIDTH} ${SEAL_HEIGHT} ]`)
  })
})
