// What an upload shows in four readers that share no code with ours: the same words in all of them, before and after sealing, and the seal. For documents of
// many producers, for irregular files, and for made oddities, which may be refused.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from '#core/pades/signatures/upload-thread.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'
import { FIELD_CASE_FILES, PDF_FIXTURES, pdfFixture, realFile } from '../support/builders/pdf-fixtures.ts'
import { FUZZ_SEED, runs, someOf } from '../support/builders/properties.ts'
import { REAL_FILES } from '../support/builders/real-files.ts'
import { seededRandom } from '../support/builders/seeded-random.ts'
import { drawSignedSeals, sealArea, type SignedSeal } from '../support/builders/signed-seals.ts'
import { OTHER_FACE } from '../support/hostile/odd/odd-document.ts'
import { ODD_KINDS } from '../support/hostile/odd/odd-kinds.ts'
import { changesBySeal, differencesOf, type Faces, readFaces, withoutMark } from '../support/judges/faces.ts'
import { READERS } from '../support/judges/four-readers.ts'

const OF_EACH_KIND = 2
const SEALED_AT = new Date()

let folder: string
let key: SigningKey
let seals: SignedSeal[]

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-words-'))
  key = await newSelfSignedKey({ commonName: 'Seal of the gardens', organisation: 'Mill Lane gardens', now: SEALED_AT })
  seals = await drawSignedSeals(SEALED_AT)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('what is accepted shows the same words in four readers, and the seal:', () => {
  const files = [...FIELD_CASE_FILES, ...PDF_FIXTURES.map(pdfFixture), ...REAL_FILES.map(([name]) => realFile(name))]

  test.each(someOf(files, 10).map((file) => [path.basename(file), file] as const))('%s', async (name, file) => {
    const upload = path.join(folder, name)
    await copyFile(file, upload)
    const complaints = await complaintsAbout(upload)
    if (complaints !== undefined || !FIELD_CASE_FILES.includes(file)) expect(complaints).toEqual([])
  })

  // requirements: decisions/documents/irregular
  test.each(ODD_KINDS)('$name', async ({ name, harmless, make }) => {
    const complaints: string[] = []
    const random = seededRandom(FUZZ_SEED)
    let accepted = 0
    for (let index = 0; index < runs(OF_EACH_KIND); index++) {
      const upload = path.join(folder, `${name.replaceAll(' ', '-')}-${index}.pdf`)
      await writeFile(upload, make(random))
      const found = await complaintsAbout(upload)
      if (found !== undefined) accepted++
      for (const complaint of found ?? []) complaints.push(`${index}: ${complaint}`)
    }
    expect(complaints).toEqual([])
    if (harmless) expect(accepted).toBeGreaterThan(0)
  })
})

/** What is wrong with an upload that is accepted; undefined for one that is refused. */
async function complaintsAbout(upload: string): Promise<string[] | undefined> {
  const document = `${upload}.document.pdf`
  await copyFile(upload, document)
  const answer = await inspect({ path: document, refuseActiveContent: true, repairDocuments: true })
  if (!answer.ok) return undefined
  const { plan } = answer.inspection
  const original = await readFile(document)
  const placements = placeSeals(answer.inspection, seals)
  const forms = seals.map(({ form }) => form)
  const sealed = `${upload}.sealed.pdf`
  await writeFile(sealed, await sealPdf({ original, plan, placements, forms, key, sealedAt: SEALED_AT, auditHead: AUDIT_HEAD }))
  const [before, after] = [await readFaces(document), await readFaces(sealed)]
  const complaints = [...differencesOf(before), ...changesBySeal(before, after, OTHER_FACE)]
  if (answer.normalisation !== null && !isKept(await readFaces(upload), before))
    complaints.push('normalising changed what readers show')
  for (const placement of placements) {
    const mark = { area: sealArea(placement), words: seals[placement.form]?.words ?? [] }
    complaints.push(...(await withoutMark(document, sealed, after, mark)))
  }
  return complaints
}

/** Two of the readers at least show of the document what they show of the upload. */
function isKept(upload: Faces, document: Faces): boolean {
  return READERS.filter((reader) => upload.letters[reader] === document.letters[reader]).length >= 2
}
