// Increments checked by third-party programs: qpdf and MuPDF for the structure, two renderers for the appearance. The signatures are still
// byte-range gaps; signing is tested elsewhere.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { writeIncrement } from '#core/pdf/increment/increment.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import { needsOnePage, readSealPlan, plannedPage } from '#core/pdf/plan/seal-plan.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { checkWithQpdf, extractText } from '../support/judges/structure.ts'
import { openBytes } from '../support/judges/open-pdf.ts'
import type { PageArea } from '../support/judges/page-geometry.ts'
import { simplePdf, type SimpleOptions } from '../support/builders/pdf-builder.ts'
import { PDF_FIXTURES } from '../support/builders/pdf-fixtures.ts'
import { uploadedFixture } from '../support/builders/uploaded-fixtures.ts'
import { comparePages, type Renderer } from '../support/judges/pixels.ts'
import { drawSealForm } from '../support/builders/seal-form.ts'

const RENDERERS: readonly Renderer[] = ['poppler', 'mupdf']

let folder: string
let form: FormBundle

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-increment-'))
  form = await drawSealForm('SEALEDHERE')
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Sealed {
  readonly before: string
  readonly after: string
  readonly areas: readonly PageArea[]
}

/** Seals the first and the last page, ten points inside the crop box. */
async function seal(name: string, original: Buffer): Promise<Sealed> {
  const file = openBytes(original)
  const candidates = [...new Set([0, file.pageCount - 1])]
  const plan = readSealPlan(file, candidates)
  const pages = needsOnePage(plan) ? candidates.slice(-1) : candidates
  const placements = pages.map((page): Placement => {
    const [left, bottom] = plannedPage(plan, page).cropBox
    return { form: 0, page, matrix: [1, 0, 0, 1, left + 10, bottom + 10], layout: 0 }
  })
  const increment = writeIncrement(plan, {
    forms: [form],
    placements,
    signatureEntries: '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20260101120000Z)',
    contentsBytes: 512,
    fieldDescription: 'Sealed: Łukasz (a)',
    documentIdSeed: original,
  })
  const before = path.join(folder, `before-${name}`)
  const after = path.join(folder, `after-${name}`)
  await writeFile(before, original)
  await writeFile(after, Buffer.concat([original, increment.bytes]))
  return { before, after, areas: placements.map(areaOf) }
}

function areaOf({ page, matrix }: Placement): PageArea {
  const [, , , , x, y] = matrix
  const [right, top] = [x + form.width, y + form.height]
  return {
    page,
    corners: [
      [x, y],
      [right, y],
      [right, top],
      [x, top],
    ],
  }
}

async function expectOnlySealsChanged(sealed: Sealed, renderer: Renderer): Promise<void> {
  const { stray, areas } = await comparePages(sealed.before, sealed.after, sealed.areas, renderer)
  expect(stray).toEqual(new Map())
  for (const area of areas) {
    expect(area.changedShare).toBeGreaterThan(0.5)
    expect(area.colours).toBeGreaterThan(2)
  }
}

// Both renderers look at each of these files, wholly sealed, in sealed-fixtures.test.ts: here they take turns.
const WITH_RENDERER = PDF_FIXTURES.map((name, index) => [name, RENDERERS[index % RENDERERS.length]!] as const)

describe.each(WITH_RENDERER)('%s with seals', (name, renderer) => {
  let sealed: Sealed
  beforeAll(async () => {
    sealed = await seal(name, await readFile(await uploadedFixture(name, folder)))
  })

  test('has a valid structure for qpdf', async () => {
    expect(await checkWithQpdf(sealed.after)).toEqual({ clean: true, complaints: '' })
  })

  test(`looks as before outside of the seals, with ${renderer}`, async () => {
    await expectOnlySealsChanged(sealed, renderer)
  })

  test('has the text of the seals', async () => {
    expect((await extractText(sealed.after)).split('SEALEDHERE')).toHaveLength(sealed.areas.length + 1)
  })
})

const STAMP = '0 0 1 rg 120 120 30 30 re f'

const ODD: readonly (readonly [string, SimpleOptions])[] = [
  ['no newline at the end', {}],
  ['offsets from a header behind other bytes', { prefix: 'Received: by mail\r\n\r\n', fromHeader: true }],
  ['a newline before the header', { prefix: '\n', fromHeader: true }],
  ['a newline before the header and a cross-reference stream', { prefix: '\n', fromHeader: true, kind: 'stream' }],
  ['a cross-reference stream', { kind: 'stream' }],
  ['a surplus Q at the end', { content: `q 2 0 0 2 0 0 cm ${STAMP} Q Q` }],
  ['a surplus Q over a scale', { content: `0.5 0 0 0.5 0 0 cm Q ${STAMP}` }],
  ['states that stay open', { content: `q q 3 0 0 3 0 0 cm q 0 0 9 9 re W n ${STAMP}` }],
  ['text, path and marks that stay open', { content: `${STAMP} /P BMC 0 0 20 20 re W BT 1 0 0 1 90 90 Tm` }],
  ['a string that stays open', { content: `${STAMP} (open` }],
  ['an array that stays open', { content: `${STAMP} [1 2` }],
  ['an inline image', { content: `q 20 0 0 20 90 90 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x40 EI Q ${STAMP}` }],
  ['no content', { content: '' }],
  ['inherited resources', { page: '', pages: '/Resources<</Font<</F1 5 0 R>>>>' }],
  ['resources of its own name for seals', { page: '/Resources<</Font<</F1 5 0 R>>/XObject<</SealwrightSeal0 4 0 R>>>>' }],
  ['a scaled page', { page: '/UserUnit 2/Rotate 270/CropBox[20 30 180 190]/Resources<</Font<</F1 5 0 R>>>>' }],
  ['a signature field', { catalog: '/AcroForm<</Fields[<</FT/Sig/T(a)/V<</Type/Sig>>>>]>>' }],
]

// MuPDF renders these pages, but exits with an error code.
const BROKEN = new Set(['a string that stays open', 'an array that stays open'])
const POPPLER: readonly Renderer[] = ['poppler']

async function complaintsAbout(file: string): Promise<string> {
  const { complaints } = await checkWithQpdf(file)
  return complaints.replaceAll(file, 'the file')
}

describe.each(ODD)('a document with %s', (name, options) => {
  test('has no more errors than before, and looks as before outside the seals', async () => {
    const original = simplePdf(options)
    const sealed = await seal(`${name}.pdf`, name.startsWith('no newline') ? original.subarray(0, -1) : original)
    expect(await complaintsAbout(sealed.after)).toBe(await complaintsAbout(sealed.before))
    for (const renderer of BROKEN.has(name) ? POPPLER : RENDERERS) await expectOnlySealsChanged(sealed, renderer)
  })
})
