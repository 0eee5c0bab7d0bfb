// Documents of many producers from inspection to seal, checked by our verifier and by third-party validators. judges.test.ts tests what the
// validators can distinguish.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'
import { type Judgement, judgeSealed } from '../support/judges/judge-sealed.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { comparePages } from '../support/judges/pixels.ts'
import { checkWithQpdf, extractText } from '../support/judges/structure.ts'
import { buildLargePdf } from '../support/builders/large-pdf.ts'
import type { PageArea } from '../support/judges/page-geometry.ts'
import { PDF_FIXTURES } from '../support/builders/pdf-fixtures.ts'
import { uploadedFixture } from '../support/builders/uploaded-fixtures.ts'
import { findMarkersWithPdfjs } from '../support/judges/pdfjs-markers.ts'
import { covers, drawSignedSeals, sealArea, type SignedSeal } from '../support/builders/signed-seals.ts'

interface SealedFixture {
  name: string
  original: Buffer
  sealed: Buffer
  files: { original: string; sealed: string; flipped: string; areas: PageArea[] }
  /** By area: whether the page had too little room for the seal. */
  overlaps: boolean[]
}

/** Certified with P=2 (ISO 32000-2, table 257): a visible field would break the certification. */
const HIDDEN_SEAL = 'certified-p2-pyhanko.pdf'
const SEALED_AT = new Date()
const sealedFixtures = new Map<string, SealedFixture>()
const judgements = new Map<string, Judgement>()
const sealFaults = new Map<string, unknown>()

let folder: string
let key: SigningKey
let seals: SignedSeal[]

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-sealed-'))
  key = await newSelfSignedKey({ commonName: 'Seal of the gardens', organisation: 'Mill Lane gardens', now: SEALED_AT })
  seals = await drawSignedSeals(SEALED_AT)
  const root = path.join(folder, 'root.pem')
  await writeFile(root, toPemCertificate(key.chain.at(-1)!))
  for (const name of PDF_FIXTURES) {
    // A document that cannot be sealed fails its own tests and no others.
    await sealFixture(name).then(
      (fixture) => sealedFixtures.set(name, fixture),
      (error: unknown) => sealFaults.set(name, error),
    )
  }
  const fixtures = [...sealedFixtures.values()]
  const answers = await judgeSealed(
    fixtures.map(({ files }) => files),
    root,
  )
  for (const [index, { name }] of fixtures.entries()) judgements.set(name, answers[index]!)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

async function sealFixture(name: string): Promise<SealedFixture> {
  const uploaded = await uploadedFixture(name, folder)
  const original = await readFile(uploaded)
  const { sealed, areas, overlaps } = await sealDocument(original)
  const files = {
    original: uploaded,
    sealed: path.join(folder, name),
    flipped: path.join(folder, `flipped-${name}`),
    areas,
  }
  await writeFile(files.sealed, sealed)
  await writeFile(files.flipped, withFlippedBit(sealed))
  return { name, original, sealed, files, overlaps }
}

async function sealDocument(original: Buffer): Promise<Pick<SealedFixture, 'sealed' | 'overlaps'> & { areas: PageArea[] }> {
  const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
  const placements = placeSeals(inspection, seals)
  const forms = seals.map(({ form }) => form)
  const sealed = await sealPdf({
    original,
    plan: inspection.plan,
    placements,
    forms,
    key,
    sealedAt: SEALED_AT,
    auditHead: AUDIT_HEAD,
  })
  return { sealed, areas: placements.map(sealArea), overlaps: placements.map((placement) => placement.overlaps) }
}

// The last digit of the header's version: every reader still opens the file, so only the signature check can fail.
function withFlippedBit(sealed: Buffer): Buffer {
  const flipped = Buffer.from(sealed)
  flipped[flipped.indexOf('%PDF-') + '%PDF-1.'.length]! ^= 1
  return flipped
}

function fixture(name: string): SealedFixture & { judgement: Judgement } {
  const fault = sealFaults.get(name)
  if (fault !== undefined) throw fault
  return { ...sealedFixtures.get(name)!, judgement: judgements.get(name)! }
}

describe.each(PDF_FIXTURES)('%s, sealed', (name) => {
  test("starts with the original's bytes and grows by less than 64 KiB", () => {
    const { original, sealed } = fixture(name)
    expect(sealed.subarray(0, original.length).equals(original)).toBe(true)
    expect(sealed.length - original.length).toBeLessThan(65_536)
  })

  test('is valid for our verifier', () => {
    expect(verifyPdf(fixture(name).sealed, { trust: [key.certificate] })).toMatchObject({
      valid: true,
      reasons: [],
      trusted: true,
    })
  })

  test('is clean for qpdf', () => {
    expect(fixture(name).judgement.qpdf).toEqual({ clean: true, complaints: '' })
  })

  test('has a CAdES signature for OpenSSL', () => {
    expect(fixture(name).judgement.openssl).toMatchObject({ verified: true })
  })

  // requirements: decisions/documents/already signed
  test('is completely signed for pdfsig, and earlier signatures stay valid', () => {
    const { pdfsig } = fixture(name).judgement
    expect(pdfsig.map(({ validation }) => validation)).toEqual(pdfsig.map(() => 'Signature is Valid.'))
    expect(pdfsig.filter(({ wholeDocument }) => wholeDocument)).toMatchObject([{ subFilter: 'ETSI.CAdES.detached' }])
  })

  test('is trusted and complete for pyHanko, and earlier signatures allow the seal', () => {
    const { signatures, error } = fixture(name).judgement.pyhanko
    expect(error).toBeNull()
    expect(signatures.at(-1)).toMatchObject({
      bottomLine: true,
      trusted: true,
      coverage: 'ENTIRE_FILE',
      modificationLevel: 'NONE',
    })
    for (const earlier of signatures.slice(0, -1)) {
      expect(earlier).toMatchObject({ intact: true, valid: true, docMdpOk: true, modificationLevel: 'FORM_FILLING' })
    }
  })

  test('is unchanged since signing for MuPDF', () => {
    const { mutool } = fixture(name).judgement
    expect(mutool.at(-1)).toBe('The document is unchanged since signing.')
  })

  test('still contains every word of the original', async () => {
    const { text } = fixture(name).judgement
    for (const word of (await extractText(fixture(name).files.original)).split(' ')) expect(text).toContain(word)
  })

  test.each(['poppler', 'mupdf'] as const)('looks the same outside the seals in %s, and had nothing below them', (renderer) => {
    const { judgement, overlaps } = fixture(name)
    const { stray, areas } = judgement[renderer]
    expect(stray).toEqual(new Map())
    expect(areas.filter(({ inkBefore }, index) => inkBefore > 0 && !overlaps[index])).toEqual([])
    for (const area of areas) {
      expect(area.changedShare).toBeGreaterThan(0.1)
      expect(area.colours).toBeGreaterThan(8)
    }
  })

  test('with one flipped bit is rejected by every validator', () => {
    const { sealed, judgement } = fixture(name)
    expect(verifyPdf(withFlippedBit(sealed), { trust: [key.certificate] }).valid).toBe(false)
    expect(judgement.flipped.openssl.verified).toBe(false)
    expect(judgement.flipped.pdfsig.at(-1)?.validation).toBe('Digest Mismatch.')
    expect(judgement.flipped.pyhanko.signatures.at(-1)).toMatchObject({ intact: false, bottomLine: false })
  })
})

describe.each(PDF_FIXTURES.filter((name) => name !== HIDDEN_SEAL))('the seals in %s', (name) => {
  // requirements: decisions/smaller/seal text
  test('state in text who signed, when, under which id and code', () => {
    const { text } = fixture(name).judgement
    for (const { words } of seals) for (const word of words) expect(text).toContain(word)
  })

  // requirements: decisions/smaller/seal text
  test('exist for every signer, and over each marker that pdf.js finds', async () => {
    const { areas } = fixture(name).files
    expect(areas.length).toBeGreaterThanOrEqual(seals.length)
    for (const marker of await findMarkersWithPdfjs(fixture(name).files.original)) {
      if (marker.exact) expect(areas.some((area) => area.page === marker.page && covers(area, marker.x, marker.y))).toBe(true)
    }
  })
})

test('a document that is certified for form filling only gets an invisible signature', () => {
  expect(fixture(HIDDEN_SEAL).files.areas).toEqual([])
  expect(fixture(HIDDEN_SEAL).judgement.pyhanko.signatures).toMatchObject([{ docMdpOk: true }, { bottomLine: true }])
})

// In the fixtures, most seals have room in the usual place.
describe('a page full of text but for some room', () => {
  test.each([
    ['beside the markers', '{{signer1}}', '{{signer2}}'],
    ['far from any marker', 'Landlord', 'Tenant'],
  ])('%s has its seals there in every viewer', async (_name, ...labels) => {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    const page = document.addPage([595, 842])
    for (let y = 810; y > 20; y -= 12) {
      if (y > 340 && y < 450) continue
      page.drawText('The parties agree that this sentence goes on from one margin of the page to the other one. '.slice(0, 88), {
        x: 40,
        y,
        size: 12,
        font,
      })
    }
    for (const [index, label] of labels.entries()) page.drawText(label, { x: 60 + index * 270, y: 436, size: 10, font })
    const original = Buffer.from(await document.save())
    const { sealed, areas, overlaps } = await sealDocument(original)
    expect(overlaps).toEqual([false, false])
    const [before, after] = [path.join(folder, 'full.pdf'), path.join(folder, 'full-sealed.pdf')]
    await Promise.all([writeFile(before, original), writeFile(after, sealed)])
    for (const renderer of ['poppler', 'mupdf'] as const) {
      const verdict = await comparePages(before, after, areas, renderer)
      expect(verdict).toMatchObject({ stray: new Map(), areas: [{ inkBefore: 0 }, { inkBefore: 0 }] })
    }
  })
})

describe('a document of 2,000 pages', () => {
  test('is sealed on its last page, valid for our verifier and pdfsig, and clean for qpdf', async () => {
    const { sealed, areas } = await sealDocument(buildLargePdf(2000))
    expect(areas.map(({ page }) => page)).toEqual([1999, 1999])
    expect(verifyPdf(sealed, { trust: [key.certificate] })).toMatchObject({ valid: true })
    const file = path.join(folder, 'large.pdf')
    await writeFile(file, sealed)
    expect(await checkWithQpdf(file)).toEqual({ clean: true, complaints: '' })
    expect(await judgeWithPdfsig(file)).toMatchObject([{ valid: true, wholeDocument: true }])
  }, 30_000)
})
