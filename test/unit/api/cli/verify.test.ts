// `sealwright verify`: what is read, and what a person is told.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict, VerifyReason } from '#core/pades/verify/verdict.ts'
import { newSelfMadeKey } from '#core/pades/self-made-key.ts'
import { type SigningKey, toPemCertificate } from '#core/pades/signing-key.ts'
import { describeVerdict, verifyFile } from '../../../../api/cli/verify.ts'
import { SEALED_AT, sealedFile } from '../../core/pades/sealed-file.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'

let folder: string
let key: SigningKey
let sealed: Buffer
let file: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-verify-'))
  key = await newSelfMadeKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
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
      verdict: { valid: true, trusted: null, signature: { signerName: 'Seal' } },
      sha256: createHash('sha256').update(sealed).digest('hex'),
    })
  })

  it('trusts what the PEM file holds', async () => {
    const other = await newSelfMadeKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
    const both = await write('both.pem', `Roots of the house\n${pemOf([...other.chain, ...key.chain])}`)
    const wrong = await write('wrong.pem', pemOf(other.chain))
    expect((await verifyFile(file, { trust: both })).verdict).toMatchObject({ valid: true, trusted: true })
    expect((await verifyFile(file, { trust: wrong })).verdict).toMatchObject({
      valid: false,
      trusted: false,
      reasons: ['UNTRUSTED'],
    })
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
  const SIGNATURE: NonNullable<Verdict['signature']> = {
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

  function words(verdict: Partial<Verdict>): string {
    const full = { valid: true, reasons: [], message: 'All is well.', trusted: null, signature: SIGNATURE, ...verdict }
    return describeVerdict(full, WHERE).join('\n')
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
        '  on behalf of    Seal',
        '  sealed at       2027-01-02T03:04:05.000Z according to the clock of the sealer',
        `  audit trail     ${AUDIT_HEAD.hash} (entry 17 of envelope ${AUDIT_HEAD.envelopeId})`,
        '  issued by       O=House, CN=Root (not checked; use --trust to give trusted certificates)',
        '  validity        2026-01-01T00:00:00.000Z to 2029-01-01T00:00:00.000Z',
        `  fingerprint     ${'cd'.repeat(32)}`,
        `  file sha256     ${'ab'.repeat(32)}`,
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
    const lines = describeVerdict({ valid: false, reasons: ['NO_SIGNATURE'], message: '', trusted: null }, WHERE)
    expect(lines).toEqual([
      'contract.pdf: NOT VALID',
      '  The document is not signed. (NO_SIGNATURE)',
      '',
      '  intact          no',
      `  file sha256     ${'ab'.repeat(32)}`,
    ])
  })

  it('say no name where the seal has none', () => {
    const text = words({ signature: { ...SIGNATURE, signerName: null } })
    expect(text).toMatch(/sealed by +O=House, CN=Seal$/m)
    expect(text).not.toContain('on behalf of')
  })

  it('let no name move the cursor, break the line or turn the text around', () => {
    const evil = '\u001b[1A\u001b[2Kcontract.pdf: valid\r\n\u202egnos \u009b31m'
    const certificate = { ...SIGNATURE.certificate, subject: evil, issuer: evil }
    const lines = describeVerdict(
      { valid: true, reasons: [], message: '', trusted: null, signature: { ...SIGNATURE, signerName: evil, certificate } },
      { file: `${evil}.pdf`, sha256: '' },
    )
    expect(lines).toHaveLength(12)
    // oxlint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  })
})
