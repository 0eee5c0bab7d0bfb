// The lock of a sealed form for third-party validators: it permits further seals.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { drawSignedSeals, type SignedSeal } from '../support/builders/signed-seals.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { judgeWithPyhanko, type PyhankoVerdict } from '../support/judges/pyhanko.ts'

const SEALED_AT = new Date()
const FORMS = ['reportlab-form.pdf', 'form-indirect-arrays.pdf', 'form-format-scripts.pdf']

let folder: string
let key: SigningKey
let seals: SignedSeal[]
let verdicts: PyhankoVerdict[]

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-forms-'))
  key = await newSelfSignedKey({ commonName: 'Seal of the gardens', organisation: 'Mill Lane gardens', now: SEALED_AT })
  seals = await drawSignedSeals(SEALED_AT)
  const root = path.join(folder, 'root.pem')
  await writeFile(root, toPemCertificate(key.chain.at(-1)!))
  for (const name of FORMS) {
    const once = await seal(await readFile(pdfFixture(name)))
    await writeFile(fileOf(name), await seal(once))
  }
  verdicts = await judgeWithPyhanko(FORMS.map(fileOf), root)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

function fileOf(name: string): string {
  return path.join(folder, name)
}

async function seal(original: Buffer): Promise<Buffer> {
  const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
  const forms = seals.map(({ form }) => form)
  const placements = placeSeals(inspection, seals)
  return sealPdf({ original, plan: inspection.plan, placements, forms, key, sealedAt: SEALED_AT, auditHead: AUDIT_HEAD })
}

describe.each(FORMS)('%s, sealed', (name) => {
  // requirements: decisions/documents/forms, decisions/documents/already signed
  test('can be sealed again, and both seals are valid', async () => {
    const { signatures, error } = verdicts[FORMS.indexOf(name)]!
    expect(error).toBeNull()
    expect(signatures).toMatchObject([
      { bottomLine: true, modificationLevel: 'FORM_FILLING', docMdpOk: true },
      { bottomLine: true, modificationLevel: 'NONE', coverage: 'ENTIRE_FILE' },
    ])
    expect(await judgeWithPdfsig(fileOf(name))).toMatchObject([{ valid: true }, { valid: true }])
  })
})
