// The cost of one sealed document: our increment and its check, against the naive way. Inspection happens at upload and drawing at the
// signature, so they are shown separately; the naive way is given the markers' positions.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { drawAppearance } from '#core/appearance/draw-seal-page.ts'
import type { SealContents } from '#core/appearance/seal-contents.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { newOutputBuffer } from '#core/pades/output-buffer.ts'
import { findSeals } from '#core/pdf/placement/seal-places.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { writePng } from '#core/png/write-png.ts'
import { medianCpuMs } from './cpu-time.ts'
import { sealNaively } from './naive-seal.ts'
import type { BenchTable } from './run.ts'
import { newRsaP12 } from './rsa-p12.ts'
import { buildSamplePdf } from './sample-pdf.ts'
import { AUDIT_HEAD } from '../support/builders/audit-head.ts'

const SIZES = [
  { name: '42 KB, 4 pages', pages: 4, bytes: 42_000, linksPerPage: 0 },
  { name: '1 MB, 25 pages', pages: 25, bytes: 1_000_000, linksPerPage: 10 },
  { name: '10 MB, 150 pages', pages: 150, bytes: 10_000_000, linksPerPage: 20 },
]
const GOAL = { size: '1 MB, 25 pages', ratio: 30 }
const PASSWORD = 'secret'
const SIGNERS = [
  { name: 'Alice Example', email: 'alice@example.com', x: 60, y: 150 },
  { name: 'Bernard Dupont', email: 'bernard@example.com', x: 320, y: 150 },
]

export async function run(): Promise<BenchTable[]> {
  const now = new Date()
  const rsaFile = newRsaP12(PASSWORD, now)
  const rsa = openP12(rsaFile, PASSWORD, now).key
  const p256 = await newSelfSignedKey({ commonName: 'Benchmark', organisation: 'Benchmark', now })
  const imagePng = drawScribble()
  const contents = SIGNERS.map(({ name, email }): SealContents => sealContents(name, email, now, imagePng))
  const forms = await Promise.all(contents.map(async (seal) => decodeForm(await drawAppearance(seal))))

  // As in the sealing threads.
  const allocate = newOutputBuffer()
  const rows: number[][] = []
  const before: number[][] = []
  for (const size of SIZES) {
    const original = await buildSamplePdf(size)
    const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
    const seal = async (key: SigningKey) => {
      const placements = findSeals(inspection.places, [1, 2]) ?? []
      const sealed = await sealPdf({
        original,
        plan: inspection.plan,
        placements,
        forms,
        key,
        sealedAt: now,
        auditHead: AUDIT_HEAD,
        allocate,
      })
      if (!verifyPdf(sealed, { trust: [key.certificate] }).valid) throw new Error('the benchmark made an invalid seal')
    }
    const naiveSigners = SIGNERS.map((signer, index) => ({ ...signer, url: contents[index]!.verifyUrl, imagePng }))
    const naive = await medianCpuMs(() => sealNaively(original, naiveSigners, rsaFile, PASSWORD))
    const [ownRsa, ownP256] = [await medianCpuMs(() => seal(rsa)), await medianCpuMs(() => seal(p256))]
    rows.push([naive, ownRsa, ownP256, naive / ownRsa, naive / ownP256])
    before.push([await medianCpuMs(() => inspectPdf(bufferSource(original), { refuseActiveContent: true }))])
  }
  // Every signer has another name, and every seal another id.
  let drawn = 0
  const drawing = await medianCpuMs(() => {
    drawn++
    const { name, email } = SIGNERS[0]!
    return drawAppearance(sealContents(`${name} ${drawn}`, `${drawn}.${email}`, now, imagePng, drawn))
  })
  const goalRatio = rows[SIZES.findIndex(({ name }) => name === GOAL.size)]![3]!
  return [
    {
      title: 'CPU ms per sealed document, two signers; ours includes the check of the sealed file',
      columns: ['document', 'naive RSA', 'ours RSA', 'ours P-256', 'naive / RSA', 'naive / P-256'],
      rows: SIZES.map(({ name }, index) => [name, ...rows[index]!]),
      goal: {
        text: `at least ${GOAL.ratio} times less than naive at ${GOAL.size}, with the same key`,
        met: goalRatio >= GOAL.ratio,
      },
    },
    {
      title: 'CPU ms before sealing: inspection at upload, drawing when a signer signs',
      columns: ['work', 'ms'],
      rows: [...SIZES.map(({ name }, index) => [`inspect ${name}`, ...before[index]!]), ['draw one seal', drawing]],
    },
  ]
}

function sealContents(signerName: string, signerEmail: string, signedAt: Date, imagePng: Buffer, number = 10): SealContents {
  const signatureId = `6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a${String(number).padStart(2, '0')}`
  const verificationCode = `Zk3vY1q0m7R2bQ9sT4uW${String(number).padStart(2, '0')}`
  const verifyUrl = `https://sign.example.com/verify?id=${signatureId}&h=${verificationCode}`
  return {
    signerName,
    signerEmail,
    organisationName: 'Garden Club',
    signedAt,
    signatureId,
    verificationCode,
    verifyUrl,
    imagePng,
  }
}

// 400 x 130 pixels, a typical signature pad's size.
function drawScribble(): Buffer {
  const [width, height] = [400, 130]
  const pixels = Buffer.alloc(width * height * 4)
  for (let step = 0; step < 20_000; step++) {
    const x = Math.round(20 + (step / 20_000) * 360)
    const y = Math.round(65 + Math.sin(step / 900) * 45 + Math.cos(step / 370) * 8)
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      pixels.writeUInt32BE(0x10184aff, ((y + dy) * width + x + dx) * 4)
  }
  return writePng({ width, height, pixels })
}
