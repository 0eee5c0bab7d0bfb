// Seals by keys of other programs: RSA and both curves, in PKCS #12 files of OpenSSL, under a root with an issuing authority.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'
import { judgeWithOpenssl } from '../support/judges/openssl-cms.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { judgeWithPyhanko, type PyhankoVerdict } from '../support/judges/pyhanko.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { makeSealAuthority } from '../support/builders/seal-authority.ts'
import { drawSignedSeals } from '../support/builders/signed-seals.ts'

const ALGORITHMS = ['rsa:2048', 'rsa:3072', 'ec:P-256', 'ec:P-384'] as const
/** One with a classic cross-reference table, one with a stream. */
const DOCUMENTS = ['weasyprint.pdf', 'pdfbox.pdf'] as const
const CASES = ALGORITHMS.flatMap((algorithm) => DOCUMENTS.map((name) => ({ algorithm, name })))

let folder: string
let rootPem: string
let root: Buffer
let pyhanko: PyhankoVerdict[]

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-keys-'))
  const authority = await makeSealAuthority(folder)
  rootPem = authority.rootPem
  root = readPemCertificates(await readFile(rootPem, 'utf8'))[0]!
  for (const algorithm of ALGORITHMS) {
    const p12 = await authority.issueP12(algorithm, 'secret')
    const { key, warnings } = openP12(p12, 'secret', new Date())
    expect(warnings).toEqual([])
    for (const name of DOCUMENTS) await writeFile(fileOf(algorithm, name), await sealWith(key, name))
  }
  pyhanko = await judgeWithPyhanko(
    CASES.map(({ algorithm, name }) => fileOf(algorithm, name)),
    rootPem,
  )
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

function fileOf(algorithm: string, name: string): string {
  return path.join(folder, `${algorithm.replace(':', '-')}-${name}`)
}

async function sealWith(key: SigningKey, name: string): Promise<Buffer> {
  const original = await readFile(pdfFixture(name))
  const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
  const sealedAt = new Date()
  const seals = await drawSignedSeals(sealedAt)
  const placements = placeSeals(inspection, seals)
  const forms = seals.map(({ form }) => form)
  return await sealPdf({ original, plan: inspection.plan, placements, forms, key, sealedAt, auditHead: AUDIT_HEAD })
}

describe.each(CASES)('$name, sealed by a key of $algorithm', ({ algorithm, name }) => {
  test('is trusted through the issuing authority by our verifier', async () => {
    const verdict = verifyPdf(await readFile(fileOf(algorithm, name)), { trust: [root] })
    expect(verdict).toMatchObject({ valid: true, trusted: true })
  })

  test('is trusted through the issuing authority by OpenSSL and pyHanko', async () => {
    expect(await judgeWithOpenssl(fileOf(algorithm, name), rootPem)).toMatchObject({ verified: true })
    const verdict = pyhanko[CASES.findIndex((one) => one.algorithm === algorithm && one.name === name)]
    expect(verdict).toMatchObject({ error: null, signatures: [{ bottomLine: true, coverage: 'ENTIRE_FILE' }] })
  })

  test('is completely signed for pdfsig', async () => {
    expect(await judgeWithPdfsig(fileOf(algorithm, name))).toMatchObject([{ valid: true, wholeDocument: true }])
  })
})
