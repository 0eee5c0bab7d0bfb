// A second file with the same content and signature: the parts of the CMS that the signature does not cover, written in another way.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { der, derOid, derUnsignedInteger, TAG } from '#core/pades/der.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { derChildren, openDer, readDer, readDerPrefix } from '#core/pades/read-der.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { readCms } from '#core/pades/verify/read-cms.ts'
import { type Issued, newCertificate } from '../certificate-builder.ts'
import { buildCms, type CmsParts, digestAlgorithm, NULL } from '../cms-builder.ts'
import { ENTRIES, gapOf, sealedFile, signFile, unsignedFile } from '../sealed-file.ts'

const ORDERS = {
  'P-256': 2n ** 256n - 2n ** 224n + 2n ** 192n - 0x4319055258e8617b0c46353d039cdaafn,
  'P-384': 2n ** 384n - 0x389cb27e0bc8d220a7e5f24db74f58851313e695333ad68dn,
} as const
type Curve = keyof typeof ORDERS

let root: Issued
let issuing: Issued
const keys: Partial<Record<Curve | 'RSA-2048', Issued>> = {}
beforeAll(async () => {
  root = await newCertificate({ name: 'Root', issuingDepth: null })
  issuing = await newCertificate({ name: 'Issuing', issuer: root, issuingDepth: 0 })
  for (const name of ['P-256', 'P-384', 'RSA-2048'] as const)
    keys[name] = await newCertificate({ name: 'Seal', issuer: issuing, keys: name })
})

function cmsIn(sealed: Buffer): Buffer {
  const { gapStart, gapEnd } = gapOf(sealed)
  return readDerPrefix(Buffer.from(sealed.toString('latin1', gapStart + 1, gapEnd - 1), 'hex')).raw
}

/** The same attributes and signature in another CMS; undefined when the gap is too small for it. */
function rewritten(sealed: Buffer, key: SigningKey, changes: Partial<CmsParts>): Buffer | undefined {
  const { attributes, signature } = readCms(cmsIn(sealed))
  const signed = derChildren(readDer(attributes.signedBytes, TAG.set)).map(({ raw }) => raw)
  const cms = buildCms(key, Buffer.alloc(32), { attributes: signed, signature, ...changes }).toString('hex')
  const { gapStart, gapEnd } = gapOf(sealed)
  if (cms.length > gapEnd - gapStart - 2) return undefined
  const copy = Buffer.from(sealed)
  copy.write(cms.padEnd(gapEnd - gapStart - 2, '0'), gapStart + 1, 'latin1')
  return copy
}

/** The other signature that verifies. */
function withOtherS(signature: Buffer, curve: Curve): { signature: Buffer } {
  const pair = openDer(readDer(signature, TAG.sequence))
  const r = pair.take(TAG.integer).raw
  const s = BigInt(`0x${pair.take(TAG.integer).body.toString('hex')}`)
  const other = (ORDERS[curve] - s).toString(16).padStart(96, '0')
  return { signature: der(TAG.sequence, r, derUnsignedInteger(Buffer.from(other, 'hex'))) }
}

async function withHighS(key: SigningKey, curve: Curve): Promise<Buffer> {
  // Where r is long, the file has no room for the higher s.
  for (;;) {
    const sealed = await sealedFile(key)
    const copy = rewritten(sealed, key, withOtherS(readCms(cmsIn(sealed)).signature, curve))
    if (copy !== undefined) return copy
  }
}

const reasonsFor = (bytes: Buffer | undefined) => verifyPdf(bytes!, {}).reasons

describe('a seal', () => {
  it('is valid as it was made, by any key', async () => {
    for (const key of Object.values(keys)) {
      const sealed = await sealedFile(key)
      expect(rewritten(sealed, key, {})).toEqual(sealed)
      expect(reasonsFor(sealed)).toEqual([])
    }
  })

  // requirements: decisions/security/ECDSA
  it.each(['P-256', 'P-384'] as const)(
    'with the higher s of %s is not valid, whatever certificates the key has',
    async (curve) => {
      expect(reasonsFor(await withHighS(keys[curve]!, curve))).toEqual(['SIGNATURE_REWRITTEN'])
      const alone = { ...keys[curve]!, chain: [] }
      expect(reasonsFor(await sealedFile(alone))).toEqual([])
      expect(reasonsFor(await withHighS(alone, curve))).toEqual(['SIGNATURE_REWRITTEN'])
    },
  )

  it.each<[string, () => Partial<CmsParts>, string]>([
    ['its root', () => ({ certificates: [keys['RSA-2048']!.certificate, issuing.certificate] }), 'SIGNATURE_REWRITTEN'],
    ['all issuers', () => ({ certificates: [keys['RSA-2048']!.certificate] }), 'SIGNATURE_REWRITTEN'],
    [
      'an issuer below its root',
      () => ({ certificates: [keys['RSA-2048']!.certificate, root.certificate] }),
      'CERTIFICATE_MISMATCH',
    ],
  ])('without %s is not valid', async (_, change, reason) => {
    expect(reasonsFor(rewritten(await sealedFile(keys['RSA-2048']!), keys['RSA-2048']!, change()))).toEqual([reason])
  })

  it('with a certificate that it does not list is not valid', async () => {
    const key = keys['P-256']!
    for (const listed of [[], [issuing.certificate]]) {
      const sealed = await sealedFile({ ...key, chain: listed })
      const more = [key.certificate, issuing.certificate, ...(listed.length > 0 ? [root.certificate] : [])]
      // The gap of a product's seal has no room for another certificate, that of another program might.
      const roomy = signFile(unsignedFile(`${ENTRIES}/XXSealwrightFormat 2`), (digest) =>
        buildCms(key, digest, { attributes: attributesLike(sealed, digest), certificates: more }),
      )
      expect(reasonsFor(roomy)).toEqual(['SIGNATURE_REWRITTEN'])
    }
  })

  it.each<[string, () => Partial<CmsParts>]>([
    ['SHA-256 with parameters', () => ({ digestAlgorithms: [withNull()], signerDigestAlgorithm: withNull() })],
    ['RSA with its digest', () => ({ signatureAlgorithm: der(TAG.sequence, derOid('1.2.840.113549.1.1.11'), NULL) })],
  ])('that names %s is not valid', async (_, change) => {
    const key = { ...keys['RSA-2048']!, chain: [] }
    const sealed = signFile(unsignedFile(`${ENTRIES}/XXSealwrightFormat 2`), (digest) => buildCms(key, digest, change()))
    expect(reasonsFor(sealed)).toEqual(['SIGNATURE_REWRITTEN'])
  })

  it('by a key of another program is made with the lower s', async () => {
    for (const [name, curve] of [
      ['p256-aes', 'P-256'],
      ['p384-aes', 'P-384'],
    ] as const) {
      const file = readFileSync(new URL(`../p12/${name}.p12`, import.meta.url))
      const { key } = openP12(file, 'secret', new Date('2027-01-01T00:00:00Z'))
      for (let i = 0; i < 10; i++) {
        const pair = openDer(readDer(readCms(cmsIn(await sealedFile(key))).signature, TAG.sequence))
        pair.take(TAG.integer)
        expect(BigInt(`0x${pair.take(TAG.integer).body.toString('hex')}`) <= ORDERS[curve] / 2n).toBe(true)
      }
    }
  })

  it('of a later format is not valid', () => {
    const sealed = signFile(unsignedFile(`${ENTRIES}/XXSealwrightFormat 3`), (digest) => buildCms(keys['P-256']!, digest))
    expect(reasonsFor(sealed)).toEqual(['SIGNATURE_KIND_UNSUPPORTED'])
  })
})

describe('a seal of an earlier version, which lists its own certificate only', () => {
  const earlier = (changes: Partial<CmsParts> = {}) =>
    signFile(unsignedFile(), (digest) => buildCms(keys['P-256']!, digest, changes))

  it('stays valid with either s', () => {
    const sealed = earlier()
    const other = rewritten(sealed, keys['P-256']!, withOtherS(readCms(cmsIn(sealed)).signature, 'P-256'))
    expect([reasonsFor(sealed), reasonsFor(other)]).toEqual([[], []])
    expect(other).not.toEqual(sealed)
  })

  it('stays valid without its root', () => {
    expect(reasonsFor(earlier({ certificates: [keys['P-256']!.certificate, issuing.certificate] }))).toEqual([])
  })
})

/** The attributes of another seal, for a document with this digest. */
function attributesLike(sealed: Buffer, digest: Buffer): Buffer[] {
  const { attributes } = readCms(cmsIn(sealed))
  return derChildren(readDer(attributes.signedBytes, TAG.set)).map(({ raw }) =>
    raw.includes(attributes.messageDigest) ? replaced(raw, attributes.messageDigest, digest) : raw,
  )
}

function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  return Buffer.from(bytes.toString('hex').replace(from.toString('hex'), to.toString('hex')), 'hex')
}

function withNull(): Buffer {
  return der(TAG.sequence, readDerPrefix(digestAlgorithm('sha256')).body, NULL)
}
