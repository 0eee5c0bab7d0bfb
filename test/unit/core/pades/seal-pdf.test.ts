// The sealed file as bytes: what is unchanged, what is covered, what is named. test/interop checks it with third-party tools.
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import type { FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { newOutputBuffer } from '#core/pades/output-buffer.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { type SealInput, sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { readDerPrefix } from '#core/pades/read-der.ts'
import { readCms } from '#core/pades/verify/read-cms.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'
import { drawSealForm } from '../../../support/builders/seal-form.ts'

const SEALED_AT = new Date('2027-01-02T03:04:05.678Z')
const RSA = openP12(readFileSync(new URL('p12/rsa-aes.p12', import.meta.url)), 'secret', SEALED_AT).key

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../../fixtures/pdfs/${name}.pdf`, import.meta.url))
}

describe('a sealed file', () => {
  let forms: FormBundle[]

  beforeAll(async () => {
    forms = [await drawSealForm('FIRST'), await drawSealForm('SECOND')]
  })

  function inputFor(name: string, changes: Partial<SealInput> = {}): SealInput {
    const original = fixture(name)
    const inspection = inspectPdf(bufferSource(original), { refuseActiveContent: true })
    const placements = placeSeals(inspection, [{ signOrder: 1 }, { signOrder: 2 }])
    return {
      original,
      plan: inspection.plan,
      placements,
      forms,
      key: RSA,
      sealedAt: SEALED_AT,
      auditHead: AUDIT_HEAD,
      ...changes,
    }
  }

  it.each(['pdfkit', 'qpdf-object-streams', 'signed-pyhanko', 'certified-p2-pyhanko', 'rotated-90'])(
    'keeps every byte of %s and covers it',
    async (name) => {
      const input = inputFor(name)
      const sealed = await sealPdf(input)
      expect(sealed.subarray(0, input.original.length).equals(input.original)).toBe(true)
      const [, a, b, c] = [...sealed.toString('latin1').matchAll(/\/ByteRange\[0 (\d+) (\d+) (\d+) *\]/g)].at(-1)!.map(Number)
      expect(b! + c!).toBe(sealed.length)
      expect(a).toBeGreaterThan(input.original.length)
      expect(sealed.toString('latin1', a, b)).toMatch(/^<[0-9a-f]+>$/)
      expect(verifyPdf(sealed, { trust: [RSA.certificate] })).toMatchObject({ valid: true, trusted: true })
    },
  )

  it('is the same for the same input and time', async () => {
    expect(await sealPdf(inputFor('pdfkit'))).toEqual(await sealPdf(inputFor('pdfkit')))
  })

  it('names the audit head in the reason of the signature, covered by the seal', async () => {
    const sealed = await sealPdf(inputFor('pdfkit'))
    const words = `(Audit trail of envelope ${AUDIT_HEAD.envelopeId} up to row 17, SHA-256 ${AUDIT_HEAD.hash})`
    expect(sealed.toString('latin1')).toContain(`/Reason${words}`)
    expect(verifyPdf(sealed, {}).signature?.auditHead).toEqual(AUDIT_HEAD)
    const forged = Buffer.from(sealed.toString('latin1').replace('up to row 17', 'up to row 16'), 'latin1')
    expect(verifyPdf(forged, {})).toMatchObject({ valid: false, reasons: ['DIGEST_MISMATCH'] })
  })

  it('has its own file identifier for every sealing', async () => {
    const idOf = (sealed: Buffer) => /\/ID\s*\[.*?<([0-9a-f]+)>\]/is.exec(sealed.toString('latin1', fixture('pdfkit').length))![1]
    const later = new Date(SEALED_AT.getTime() + 1000)
    expect(idOf(await sealPdf(inputFor('pdfkit')))).not.toBe(idOf(await sealPdf(inputFor('pdfkit', { sealedAt: later }))))
  })

  it('names the sealer in any script and the time to the second, and has no /Cert', async () => {
    const key = await newSelfSignedKey({ commonName: 'Łąka (Seal)', organisation: 'Łąka', now: SEALED_AT })
    const sealed = (await sealPdf(inputFor('pdfkit', { key }))).toString('latin1')
    expect(sealed).toContain('/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20270102030405Z)')
    expect(verifyPdf(Buffer.from(sealed, 'latin1'), {}).signature).toMatchObject({
      signerName: 'Łąka (Seal)',
      signedAt: new Date('2027-01-02T03:04:05Z'),
    })
    expect(sealed).not.toMatch(/\/Cert[^s]/)
  })

  it('is signed over all bytes except the gap', async () => {
    const sealed = await sealPdf(inputFor('pdfkit'))
    const { byteRange } = verifyPdf(sealed, {}).signature!
    const digest = createHash('sha256').update(sealed.subarray(0, byteRange[1])).update(sealed.subarray(byteRange[2])).digest()
    const cms = Buffer.from(sealed.toString('latin1', byteRange[1] + 1, byteRange[2] - 1), 'hex')
    const { attributes, signature } = readCms(readDerPrefix(cms).raw)
    expect(attributes.messageDigest).toEqual(digest)
    const { publicKey } = new X509Certificate(RSA.certificate)
    expect(verify('sha256', attributes.signedBytes, publicKey, signature)).toBe(true)
  })

  it('is refused for bytes that were not inspected', async () => {
    const original = Buffer.concat([fixture('pdfkit'), Buffer.from('\n')])
    await expect(sealPdf(inputFor('pdfkit', { original }))).rejects.toThrow(RangeError)
  })

  it('accepts a document in shared memory', async () => {
    const input = inputFor('pdfkit')
    const shared = Buffer.from(new SharedArrayBuffer(input.original.length))
    shared.set(input.original)
    expect(await sealPdf({ ...input, original: shared })).toEqual(await sealPdf(input))
  })

  it('can overwrite the memory of the previous file, of any size', async () => {
    const allocate = newOutputBuffer()
    for (const name of ['pdflatex', 'pdfkit', 'pdflatex']) {
      const input = inputFor(name)
      expect((await sealPdf({ ...input, allocate })).equals(await sealPdf(input))).toBe(true)
    }
    const [small, again] = [allocate(10), allocate(20)]
    expect([small.length, again.length, small.buffer === again.buffer]).toEqual([10, 20, true])
    const [large, other] = [allocate(9_000_000), allocate(9_000_000)]
    expect([large.length, large.buffer === other.buffer, allocate(5).buffer === small.buffer]).toEqual([9_000_000, false, true])
  })
})
