// The verdict on a whole file: which seal it is about, and what others added after it.
import { beforeAll, describe, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import type { VerifyReason } from '#core/pades/verify/verdict.ts'
import { type DocumentVerdict, verifyDocument } from '#core/pades/verify-document.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'
import { buildCms } from './cms-builder.ts'
import { overwrite, revised, saveIncrementally } from './forgeries.ts'
import { ENTRIES, ORIGINAL, SEALED_AT, sealedFile, signFile, unsignedFile } from './sealed-file.ts'

const LATER = `${ENTRIES}/Reason(Approved)`
let key: SigningKey
let other: SigningKey
let sealed: Buffer
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  other = await newSelfSignedKey({ commonName: 'Accounts', organisation: 'Other', now: SEALED_AT })
  sealed = await sealedFile(key)
})

/** Signed by the other organisation. */
function signedLater(original: Buffer): Buffer {
  return signFile(unsignedFile(LATER, { original }), (digest) => buildCms(other, digest))
}

function verdictOf(bytes: Buffer): DocumentVerdict {
  return verifyDocument(bytes, { trust: key.chain })
}

describe('a file that others signed later', () => {
  it('is judged by the seal, and the later signature is listed', () => {
    const later = signedLater(sealed)
    expect(verdictOf(later)).toMatchObject({
      valid: true,
      trusted: true,
      reasons: [],
      message:
        `The first ${sealed.length} bytes of the file are unchanged since they were sealed, and the seal certificate is trusted. ` +
        'What follows shows nothing and is permitted, but it is not part of what was sealed: ' +
        'it was signed later by others: 1 further signature; who signed later was not checked.',
      coversWholeFile: false,
      sealedBytes: sealed.length,
      laterSignatures: 1,
      signature: { certificate: { subject: 'O=House, CN=Seal' } },
      signatures: [
        { role: 'SEAL', covers: 'EARLIER_REVISION', coveredBytes: sealed.length, laterChanges: 'PERMITTED' },
        { role: 'LATER', signedBy: 'O=Other, CN=Accounts', covers: 'WHOLE_FILE', coveredBytes: later.length },
      ],
    })
    expect(verifyDocument(later, {})).toMatchObject({ valid: null, laterSignatures: 1 })
  })

  it('is judged by the trusted seal when another service sealed it again', async () => {
    expect(verdictOf(await sealedFile(other, sealed))).toMatchObject({
      valid: true,
      signatures: [{ role: 'SEAL' }, { role: 'LATER', id: AUDIT_HEAD.envelopeId }],
    })
  })

  it('is valid when only what is permitted was added', () => {
    const { message, ...verdict } = verdictOf(revised(sealed, new Map([[99, '<<>>']])))
    expect(verdict).toMatchObject({ valid: true, coversWholeFile: false, laterSignatures: 0 })
    expect(message).toMatch(/What follows shows nothing and is permitted, but it is not part of what was sealed\.$/)
  })

  it.each<[string, () => Buffer | Promise<Buffer>, readonly VerifyReason[]]>([
    ['content was changed before', () => signedLater(saveIncrementally(sealed)), ['COVERAGE_INCOMPLETE']],
    [
      'content was changed after',
      () => saveIncrementally(signedLater(sealed)),
      ['COVERAGE_INCOMPLETE', 'LATER_SIGNATURE_BROKEN'],
    ],
    [
      'an object was added behind its end',
      () => Buffer.concat([sealed, Buffer.from('99 0 obj\n<<>>\nendobj\n')]),
      ['COVERAGE_INCOMPLETE'],
    ],
    ['data was added behind its end', () => Buffer.concat([sealed, Buffer.alloc(4_000, 'x')]), ['COVERAGE_INCOMPLETE']],
    [
      'an object was added behind a later signature',
      () => Buffer.concat([signedLater(sealed), Buffer.from('99 0 obj\n<<>>\nendobj\n')]),
      ['COVERAGE_INCOMPLETE'],
    ],
    [
      'the later signature is broken',
      () => overwrite(signedLater(sealed), /\(Approved\)/, '(Approvad)'),
      ['LATER_SIGNATURE_BROKEN'],
    ],
    [
      'the seal is broken',
      () => overwrite(signedLater(sealed), /Price: 100/, 'Price: 900'),
      ['DIGEST_MISMATCH', 'LATER_SIGNATURE_BROKEN'],
    ],
    ['the seal is not trusted', async () => signedLater(await sealedFile(other, ORIGINAL)), ['UNTRUSTED']],
  ])('is not valid: %s', async (_, file, reasons) => {
    expect(verdictOf(await file())).toMatchObject({ valid: false, reasons })
  })
})
