// Sealed copies that another organisation signs later with pyHanko: an invisible signature is accepted as an upload, and the sealed part stays
// valid for `sealwright verify`; one that shows something is not permitted, wherever it is.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { refuseBrokenSignatures } from '#core/pades/signatures/refuse-broken.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { type DocumentVerdict, verifyDocument } from '#core/pades/verify-document.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type SigningJob, signWithPyhanko } from '../support/builders/pyhanko-signatures.ts'
import { drawSignedSeals } from '../support/builders/signed-seals.ts'
import { refusalOf } from '../support/judges/open-pdf.ts'
import { judgeWithPyhanko, type PyhankoVerdict } from '../support/judges/pyhanko.ts'

const SEALED_AT = new Date()
const LOOK = { field: 'Accounts', text: 'Approved by accounts' }
/** reportlab.pdf has text at the top of its first page and none at its foot. */
const CASES: Readonly<Record<string, Omit<SigningJob, 'input' | 'output'> & { original: string }>> = {
  invisible: { original: 'reportlab.pdf', field: 'Accounts' },
  'on free room': { original: 'reportlab.pdf', ...LOOK, box: [60, 40, 220, 90] },
  'in an existing field': { original: 'empty-signature-field.pdf', field: 'Approval', text: LOOK.text },
  'validation data only': { original: 'reportlab.pdf', validationData: true },
  'over the text': { original: 'reportlab.pdf', ...LOOK, box: [60, 60, 540, 780] },
}
const names = Object.keys(CASES)
const SHOWN = ['on free room', 'in an existing field', 'over the text']

let folder: string
let key: SigningKey
const verdicts = new Map<string, { bytes: Buffer; sealed: Buffer; verdict: DocumentVerdict; pyhanko: PyhankoVerdict }>()

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-later-'))
  key = await newSelfSignedKey({ commonName: 'Seal of the gardens', organisation: 'Mill Lane gardens', now: SEALED_AT })
  const root = path.join(folder, 'root.pem')
  await writeFile(root, toPemCertificate(key.chain.at(-1)!))
  const jobs = names.map((name) => ({ ...CASES[name]!, input: fileOf(name, 'sealed'), output: fileOf(name, 'signed') }))
  for (const { input, original } of jobs) await writeFile(input, await seal(await readFile(pdfFixture(original))))
  await signWithPyhanko('Accounts department', folder, jobs)
  const judged = await judgeWithPyhanko(
    jobs.map(({ output }) => output),
    root,
  )
  for (const [index, name] of names.entries()) {
    const bytes = await readFile(fileOf(name, 'signed'))
    const sealed = await readFile(fileOf(name, 'sealed'))
    verdicts.set(name, { bytes, sealed, verdict: verifyDocument(bytes, { trust: key.chain }), pyhanko: judged[index]! })
  }
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

function fileOf(name: string, state: string): string {
  return path.join(folder, `${state}-${names.indexOf(name)}.pdf`)
}

async function seal(original: Buffer, by = key): Promise<Buffer> {
  const seals = await drawSignedSeals(SEALED_AT)
  const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
  const placements = placeSeals(inspection, seals)
  const forms = seals.map(({ form }) => form)
  return sealPdf({ original, plan: inspection.plan, placements, forms, key: by, sealedAt: SEALED_AT, auditHead: AUDIT_HEAD })
}

function refusal(bytes: Buffer): string {
  return refusalOf(() => refuseBrokenSignatures(bufferSource(bytes)))
}

describe.each(names.filter((name) => !SHOWN.includes(name)))('a sealed copy, later signed %s', (name) => {
  // requirements: decisions/documents/already signed
  test('is valid up to its end, the later signatures are counted and listed', () => {
    const { verdict, sealed, bytes } = verdicts.get(name)!
    const later =
      name === 'validation data only'
        ? []
        : [{ role: 'LATER', signedBy: 'CN=Accounts department', intact: true, covers: 'WHOLE_FILE' }]
    expect(verdict).toMatchObject({
      valid: true,
      reasons: [],
      trusted: true,
      coversWholeFile: false,
      sealedBytes: sealed.length,
      laterSignatures: later.length,
      signature: { certificate: { subject: 'O=Mill Lane gardens, CN=Seal of the gardens' } },
      signatures: [{ role: 'SEAL', laterChanges: 'PERMITTED', covers: 'EARLIER_REVISION' }, ...later],
    })
    expect(bytes.length).toBeGreaterThan(sealed.length)
  })

  test('is accepted as an upload', () => {
    expect(refusal(verdicts.get(name)!.bytes)).toBe('accepted')
  })

  test('has an intact seal for pyHanko', () => {
    expect(verdicts.get(name)!.pyhanko.signatures[0]).toMatchObject({ bottomLine: true, docMdpOk: true })
  })
})

describe('a sealed copy that another installation seals visibly', () => {
  test('is valid for the other one, and changed for the first', async () => {
    const other = await newSelfSignedKey({ commonName: 'Other seal', organisation: 'Other gardens', now: SEALED_AT })
    const bytes = await seal(await seal(await readFile(pdfFixture('libreoffice.pdf'))), other)
    expect(refusal(bytes)).toMatch(/^DOCUMENT_SIGNATURE_BROKEN: .*a signature that shows something was added/)
    expect(verifyDocument(bytes, { trust: key.chain })).toMatchObject({ valid: false, reasons: ['COVERAGE_INCOMPLETE'] })
    expect(verifyDocument(bytes, { trust: other.chain })).toMatchObject({
      valid: true,
      coversWholeFile: true,
      laterSignatures: 0,
      signatures: [
        { role: 'EARLIER', laterChanges: 'PERMITTED' },
        { role: 'SEAL', covers: 'WHOLE_FILE' },
      ],
    })
  })
})

describe.each(SHOWN)('a sealed copy, later signed %s', (name) => {
  test('is not valid, although pyHanko permits it', () => {
    const { verdict, pyhanko } = verdicts.get(name)!
    expect(verdict).toMatchObject({ valid: false, reasons: ['COVERAGE_INCOMPLETE'], laterSignatures: 1 })
    expect(verdict.signatures[0]?.problem).toBe('a signature that shows something was added')
    expect(pyhanko.signatures[0]).toMatchObject({ bottomLine: true })
  })

  test('is refused as an upload', () => {
    expect(refusal(verdicts.get(name)!.bytes)).toMatch(
      /^DOCUMENT_SIGNATURE_BROKEN: .*does not permit what was changed after it: a signature that shows something was added/,
    )
  })
})
