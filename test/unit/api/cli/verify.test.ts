// `sealwright verify`: what is read, and what a person reads.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VerifyReason } from '#core/pades/verify/verdict.ts'
import type { DocumentVerdict } from '#core/pades/verify-document.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { describeVerdict, verifyFile } from '../../../../api/cli/verify.ts'
import { revised, saveIncrementally } from '../../core/pades/forgeries.ts'
import { SEALED_AT, sealedFile } from '../../core/pades/sealed-file.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'

let folder: string
let key: SigningKey
let sealed: Buffer
let file: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-verify-'))
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  sealed = await sealedFile(key)
  file = await write('sealed.pdf', sealed)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string | Buffer): Promise<string> {
  const place = path.join(folder, name)
  await writeFile(place, content)
  return place
}

function pemOf(certificates: readonly Buffer[]): string {
  return certificates.map(toPemCertificate).join('')
}

describe('the check of a file', () => {
  it('answers with the verdict and the hash of the file', async () => {
    expect(await verifyFile(file, {})).toMatchObject({
      verdict: {
        valid: null,
        trusted: null,
        signature: { signerName: 'Seal' },
        signatures: [
          { id: AUDIT_HEAD.envelopeId, signedBy: 'O=House, CN=Seal', intact: true, covers: 'WHOLE_FILE', laterChanges: 'NONE' },
        ],
      },
      sha256: createHash('sha256').update(sealed).digest('hex'),
    })
  })

  it('trusts what the PEM file holds', async () => {
    const other = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
    const both = await write('both.pem', `Roots of the house\n${pemOf([...other.chain, ...key.chain])}`)
    const wrong = await write('wrong.pem', pemOf(other.chain))
    expect((await verifyFile(file, { trust: both })).verdict).toMatchObject({ valid: true, trusted: true })
    expect((await verifyFile(file, { trust: wrong })).verdict).toMatchObject({
      valid: false,
      trusted: false,
      reasons: ['UNTRUSTED'],
    })
  })

  it('lists a seal over a changed signature, which is not valid', async () => {
    const laundered = await write(
      'laundered.pdf',
      await sealedFile(key, saveIncrementally(sealed), SEALED_AT, ['Ada Tenant', 'Bén']),
    )
    const trust = await write('root.pem', pemOf(key.chain))
    expect((await verifyFile(laundered, { trust })).verdict).toMatchObject({
      valid: false,
      trusted: true,
      reasons: ['EARLIER_SIGNATURE_BROKEN'],
      signatures: [
        { intact: true, covers: 'EARLIER_REVISION', laterChanges: 'NOT_PERMITTED' },
        { intact: true, covers: 'WHOLE_FILE', laterChanges: 'NONE', signers: ['Ada Tenant', 'Bén'] },
      ],
    })
    const twice = await write('twice.pdf', await sealedFile(key, sealed))
    expect((await verifyFile(twice, { trust })).verdict).toMatchObject({
      valid: true,
      coversWholeFile: true,
      signatures: [{ laterChanges: 'PERMITTED' }, {}],
    })
  })

  it('gives the hash of the sealed document when others added to it', async () => {
    const { sha256, sealedSha256 } = await verifyFile(await write('more.pdf', revised(sealed, new Map([[99, '<<>>']]))), {})
    expect(sealedSha256).toBe(createHash('sha256').update(sealed).digest('hex'))
    expect(sha256).not.toBe(sealedSha256)
  })

  it('judges a file that is no PDF', async () => {
    const text = await write('text.pdf', 'hello')
    expect((await verifyFile(text, {})).verdict.reasons).toEqual(['NOT_A_PDF'])
  })

  it('fails for a file that is not there', async () => {
    await expect(verifyFile(path.join(folder, 'missing.pdf'), {})).rejects.toThrow(
      /missing\.pdf cannot be read: the file does not exist\.$/,
    )
    await expect(verifyFile(file, { trust: path.join(folder, 'missing.pem') })).rejects.toThrow(
      /missing\.pem cannot be read: the file does not exist\.$/,
    )
  })

  it('fails for a folder', async () => {
    await expect(verifyFile(folder, {})).rejects.toThrow(/ cannot be read: it is a directory\.$/)
  })

  it('fails for a trust file without certificates, or with one that cannot be read', async () => {
    const empty = await write('empty.pem', 'nothing')
    const damaged = await write('damaged.pem', pemOf([key.certificate]).replace('\nM', '\nA'))
    await expect(verifyFile(file, { trust: empty })).rejects.toThrow(/empty\.pem contains no PEM certificate/)
    await expect(verifyFile(file, { trust: damaged })).rejects.toThrow(/damaged\.pem contains a certificate that cannot be read/)
  })
})

describe('the words for a verdict', () => {
  const WHERE = { file: 'contract.pdf', sha256: 'ab'.repeat(32) }
  const SIGNATURE: NonNullable<DocumentVerdict['signature']> = {
    signedAt: SEALED_AT,
    signerName: 'Seal',
    auditHead: AUDIT_HEAD,
    byteRange: [0, 10, 20, 10],
    certificate: {
      subject: 'O=House, CN=Seal',
      issuer: 'O=House, CN=Root',
      serial: '01',
      notBefore: new Date('2026-01-01'),
      notAfter: new Date('2029-01-01'),
      fingerprint: 'cd'.repeat(32),
    },
  }

  const LISTED: DocumentVerdict['signatures'][number] = {
    signedBy: 'CN=Other',
    signedAt: SEALED_AT,
    intact: true,
    covers: 'EARLIER_REVISION',
    laterChanges: 'PERMITTED',
  }

  const ALONE = { coversWholeFile: true, sealedBytes: 1_000, laterSignatures: 0, signatures: [] }

  function words(verdict: Partial<DocumentVerdict>): string {
    const full = { valid: true, reasons: [], message: 'All is well.', trusted: null, signature: SIGNATURE, ...ALONE }
    return describeVerdict({ ...full, ...verdict }, WHERE).join('\n')
  }

  function invalid(...reasons: VerifyReason[]): string {
    return words({ valid: false, reasons, message: 'The first reason.' })
  }

  it('say that a file is valid, who sealed it and when', () => {
    expect(words({})).toBe(
      [
        'contract.pdf: valid',
        '  All is well.',
        '',
        '  intact          yes, unchanged since sealing',
        '  sealed by       O=House, CN=Seal',
        '  sealed at       2027-01-02T03:04:05.000Z according to the clock of the sealer',
        `  audit trail     ${AUDIT_HEAD.hash} (entry 17 of envelope ${AUDIT_HEAD.envelopeId})`,
        '  issued by       O=House, CN=Root (not checked; use --trust to give trusted certificates)',
        '  validity        2026-01-01T00:00:00.000Z to 2029-01-01T00:00:00.000Z',
        `  fingerprint     ${'cd'.repeat(32)}`,
        `  file sha256     ${'ab'.repeat(32)}`,
      ].join('\n'),
    )
  })

  it('say that the origin was not checked', () => {
    expect(words({ valid: null })).toMatch(/^contract\.pdf: intact, origin not checked\n {2}All is well\.\n/)
  })

  it('say up to where a file is valid', () => {
    const extended = words({ coversWholeFile: false })
    expect(extended).toMatch(/^contract\.pdf: valid up to byte 1000\n/)
    expect(extended).toMatch(/intact +yes, the first 1000 bytes are unchanged since sealing$/m)
    expect(words({ coversWholeFile: false, valid: null })).toMatch(/^contract\.pdf: intact up to byte 1000, origin not checked\n/)
  })

  it('list every signature with what came after it', () => {
    const broken = {
      ...LISTED,
      signedBy: null,
      signedAt: null,
      intact: false,
      laterChanges: 'NOT_PERMITTED' as const,
      problem: 'it is damaged',
    }
    const seal = { ...LISTED, covers: 'WHOLE_FILE' as const, laterChanges: 'NONE' as const, signers: ['Ada', 'Ben'] }
    const text = words({ signatures: [broken, { ...LISTED, timeStamp: true }, seal] })
    expect(text.slice(text.indexOf('  Signatures'))).toBe(
      [
        '  Signatures, oldest first:',
        '  1. an unreadable certificate, no time',
        '     BROKEN, covers an earlier revision, CHANGED AFTER IT',
        '     it is damaged',
        '  2. time stamp by CN=Other, 2027-01-02T03:04:05.000Z',
        '     intact, covers an earlier revision, only what it permits was added after it',
        '  3. CN=Other, 2027-01-02T03:04:05.000Z',
        '     intact, covers the whole file, nothing was added after it',
        '     signers: Ada, Ben',
      ].join('\n'),
    )
  })

  it('say who signed later, and what the sealed document is', () => {
    const seal = { ...LISTED, coveredBytes: 1_000, role: 'SEAL' as const, signers: ['Ada'] }
    const later = {
      ...LISTED,
      covers: 'WHOLE_FILE' as const,
      laterChanges: 'NONE' as const,
      coveredBytes: 2_000,
      signers: ['Eve'],
    }
    const verdict = {
      valid: true,
      reasons: [],
      message: '',
      trusted: true,
      signature: SIGNATURE,
      ...ALONE,
      coversWholeFile: false,
      laterSignatures: 1,
    }
    const signatures = [seal, { ...later, role: 'LATER' as const }]
    const text = describeVerdict({ ...verdict, signatures }, { ...WHERE, sealedSha256: 'ef'.repeat(32) }).join('\n')
    expect(text.slice(text.indexOf('  later'))).toBe(
      [
        '  later           signed later by others: 1 further signature',
        `  file sha256     ${'ab'.repeat(32)}`,
        `  sealed sha256   ${'ef'.repeat(32)} (the first 1000 bytes)`,
        '',
        '  Signatures, oldest first:',
        '  1. CN=Other, 2027-01-02T03:04:05.000Z',
        '     intact, covers an earlier revision (the first 1000 bytes), only what it permits was added after it',
        '     signers: Ada',
        '  2. CN=Other (added after the seal; who signed was not checked), 2027-01-02T03:04:05.000Z',
        '     intact, covers the whole file, nothing was added after it',
        '     signers that it names: Eve',
      ].join('\n'),
    )
  })

  it('say whether the issuer was checked', () => {
    expect(words({ trusted: true })).toContain('CN=Root (checked: trusted)')
    expect(words({ trusted: false })).toContain('CN=Root (checked: NOT trusted)')
  })

  it('say every reason why a file is not valid, and that the rest is not proven', () => {
    const text = invalid('DIGEST_MISMATCH', 'CERTIFICATE_NOT_IN_DATE')
    expect(text).toMatch(/^contract\.pdf: NOT VALID\n {2}The document was changed after sealing\. \(DIGEST_MISMATCH\)\n/)
    expect(text).toContain('  The certificate was not valid when the document was sealed. (CERTIFICATE_NOT_IN_DATE)')
    expect(text).toMatch(/intact +no$/m)
    expect(text).toMatch(/sealed by +O=House, CN=Seal \(not proven\)$/m)
    expect(text).toMatch(/sealed at +\S+ \(not proven\)$/m)
  })

  it('say that the bytes are intact when only the certificate is at fault', () => {
    const text = invalid('CERTIFICATE_NOT_IN_DATE', 'KEY_USAGE_MISMATCH', 'UNTRUSTED', 'KEY_COMPROMISED')
    expect(text).toContain('contract.pdf: NOT VALID')
    expect(text).toMatch(/intact +yes/)
    expect(text).not.toContain('not proven')
  })

  it('say nothing of a signature that could not be read', () => {
    const lines = describeVerdict({ ...ALONE, valid: false, reasons: ['NO_SIGNATURE'], message: '', trusted: null }, WHERE)
    expect(lines).toEqual([
      'contract.pdf: NOT VALID',
      '  The document is not signed. (NO_SIGNATURE)',
      '',
      '  intact          no',
      `  file sha256     ${'ab'.repeat(32)}`,
    ])
  })

  it('give the sealer that the certificate names, and not what the sealer wrote beside it', () => {
    const text = words({ signature: { ...SIGNATURE, signerName: 'Ministry' } })
    expect(text).toMatch(/sealed by +O=House, CN=Seal$/m)
    expect(text).not.toContain('Ministry')
  })

  it('let no name move the cursor, break the line or turn the text around', () => {
    const evil = '\u001b[1A\u001b[2Kcontract.pdf: valid\r\n\u202egnos \u009b31m'
    const certificate = { ...SIGNATURE.certificate, subject: evil, issuer: evil }
    const signature = { ...SIGNATURE, signerName: evil, certificate }
    const signatures = [{ ...LISTED, signedBy: evil, signers: [evil] }]
    const verdict = { ...ALONE, valid: true, reasons: [], message: '', trusted: null, signature, signatures }
    const lines = describeVerdict(verdict, { file: `${evil}.pdf`, sha256: '' })
    expect(lines).toHaveLength(16)
    // oxlint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  })
})
