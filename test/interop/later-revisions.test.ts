// Whatever follows a seal: where our verifier calls the file valid, other readers show the same words as before, and pyHanko calls it intact.
// The judges have no code of ours.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { refuseBrokenSignatures } from '#core/pades/signatures/refuse-broken.ts'
import { verifyDocument } from '#core/pades/verify-document.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { FUZZ_SEED, runs } from '../support/builders/properties.ts'
import { anyOf, seededRandom } from '../support/builders/seeded-random.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { anyRevision, append, forgeries, harmless, type LaterRevision } from '../support/hostile/later-revisions.ts'
import { anySignature } from '../support/hostile/later-signatures.ts'
import { type SealedDocument, sealedDocuments } from '../support/hostile/sealed-documents.ts'
import { refusalOf } from '../support/judges/open-pdf.ts'
import { judgeWithPyhanko } from '../support/judges/pyhanko.ts'

const SEALED_AT = new Date()
const REVISIONS = 300
const SIGNATURES = 200

let folder: string
let key: SigningKey
let documents: SealedDocument[]
beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-revisions-'))
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  await writeFile(path.join(folder, 'root.pem'), toPemCertificate(key.chain.at(-1)!))
  documents = await sealedDocuments(key, SEALED_AT)
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Accepted {
  readonly file: string
  readonly revision: LaterRevision
  readonly document: SealedDocument
}

function isValid(bytes: Buffer): boolean {
  return verifyDocument(bytes, { trust: key.chain }).valid === true
}

async function words(file: string): Promise<{ poppler: string; mupdf: string }> {
  const [poppler, mupdf] = await Promise.all([
    runProgram('pdftotext', [file, '-']),
    runProgram('mutool', ['draw', '-q', '-F', 'txt', '-o', '-', file]),
  ])
  return { poppler: poppler.stdout.toString('utf8'), mupdf: mupdf.stdout.toString('utf8') }
}

/** What two readers draw, small, as hashes. */
async function pictures(file: string): Promise<string[]> {
  await Promise.all([
    runProgram('pdftoppm', ['-r', '30', file, `${file}.poppler`]),
    runProgram('mutool', ['draw', '-q', '-r', '30', '-o', `${file}.mupdf-%d.ppm`, file]),
  ])
  const drawn = ['poppler-1', 'poppler-2', 'mupdf-1', 'mupdf-2'].map((each) => readFile(`${file}.${each}.ppm`))
  return (await Promise.all(drawn)).map((bytes) => createHash('sha256').update(bytes).digest('hex'))
}

/** Writes the files that our verifier calls valid. */
async function accepted(cases: readonly { document: SealedDocument; revision: LaterRevision }[]): Promise<Accepted[]> {
  const valid: Accepted[] = []
  for (const { document, revision } of cases) {
    const bytes = append(document.bytes, revision)
    if (!isValid(bytes)) continue
    const file = path.join(folder, `${valid.length}.pdf`)
    await writeFile(file, bytes)
    valid.push({ file, revision, document })
  }
  return valid
}

test.each(['pdftotext', 'mutool'] as const)(
  'the price and the clause can be read by %s in each sealed document',
  async (reader) => {
    for (const { bytes } of documents) {
      const file = path.join(folder, 'sealed.pdf')
      await writeFile(file, bytes)
      const { poppler, mupdf } = await words(file)
      expect(reader === 'mutool' ? mupdf : poppler).toMatch(/until Friday[^]*Price: 100\n/)
      expect(isValid(bytes)).toBe(true)
    }
  },
)

describe('a forgery', () => {
  // requirements: decisions/security/later revision
  test('of any named kind is not valid, and is refused as an upload', () => {
    const found = documents.flatMap((document) =>
      forgeries(document).map((revision) => {
        const bytes = append(document.bytes, revision)
        const refusal = refusalOf(() => refuseBrokenSignatures(bufferSource(bytes)))
        return { name: `${document.name}: ${revision.name}`, valid: isValid(bytes), refused: refusal.startsWith('DOCUMENT_') }
      }),
    )
    expect(found.filter(({ valid, refused }) => valid || !refused)).toEqual([])
    expect(found.length).toBeGreaterThan(100)
  })
})

test('what may follow a seal is valid, and is accepted as an upload', () => {
  for (const document of documents) {
    for (const revision of harmless(document.bytes)) {
      const bytes = append(document.bytes, revision)
      expect([revision.name, verifyDocument(bytes, { trust: key.chain })]).toMatchObject([
        revision.name,
        { valid: true, coversWholeFile: false, sealedBytes: document.bytes.length },
      ])
      expect(refusalOf(() => refuseBrokenSignatures(bufferSource(bytes)))).toBe('accepted')
    }
  }
})

test('no revision made by chance changes what other readers show and is valid', async () => {
  const roll = seededRandom(FUZZ_SEED)
  const cases = Array.from({ length: runs(REVISIONS) }, () => {
    const document = anyOf(documents, roll)
    return { document, revision: anyRevision(document.bytes, document.numbers, roll) }
  })
  const valid = await accepted(cases)
  expect(valid.length).toBeGreaterThan(runs(REVISIONS) / 50)
  const before = new Map<SealedDocument, Awaited<ReturnType<typeof words>>>()
  for (const document of documents) {
    const file = path.join(folder, 'sealed.pdf')
    await writeFile(file, document.bytes)
    before.set(document, await words(file))
  }
  for (const { file, revision, document } of valid) {
    expect([revision.name, await words(file)]).toEqual([revision.name, before.get(document)])
  }
  const verdicts = await judgeWithPyhanko(
    valid.map(({ file }) => file),
    path.join(folder, 'root.pem'),
  )
  for (const [index, { signatures, error }] of verdicts.entries()) {
    const { document } = valid[index]!
    // pyHanko cannot compare a changed object that refers to a missing one.
    if (document.awaits && error === `KeyError: Reference(idnum=${document.numbers.missing}, generation=0)`) continue
    expect([valid[index]?.revision.name, error, signatures[0]]).toMatchObject([
      valid[index]?.revision.name,
      null,
      { intact: true, valid: true },
    ])
  }
}, 600_000)

test('no signature made by chance after a seal is permitted and shows something', async () => {
  const roll = seededRandom(FUZZ_SEED)
  const document = documents[0]!
  const file = path.join(folder, 'signed-later.pdf')
  const faces = async (bytes: Buffer) => {
    await writeFile(file, bytes)
    return [await words(file), await pictures(file)]
  }
  const sealed = await faces(document.bytes)
  let permitted = 0
  for (let count = 0; count < runs(SIGNATURES); count++) {
    const revision = anySignature(document, roll)
    const bytes = append(document.bytes, revision)
    const verdict = verifyDocument(bytes, { trust: key.chain })
    // The signature is no signature, which is another reason.
    if (!('reasons' in verdict) || verdict.reasons?.join() !== 'EARLIER_SIGNATURE_BROKEN') continue
    permitted++
    expect([revision.name, await faces(bytes)]).toEqual([revision.name, sealed])
  }
  expect(permitted).toBeGreaterThan(runs(SIGNATURES) / 50)
}, 600_000)
