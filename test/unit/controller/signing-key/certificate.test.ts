import { expect, it } from 'vitest'
import { type Certificate, judgeCertificate, newCertificate } from '../../../../controller/signing-key/certificate.ts'
import type { SigningKeySpec } from '../../../../controller/signing-key/resource.ts'
import { aKeyObject } from '../../../support/builders/key-objects.ts'

const spec: Partial<SigningKeySpec> = {
  provider: { type: 'CertManager', certManager: { issuerRef: { name: 'ca' }, duration: '720h' } },
}
const object = aKeyObject({ spec })

/** As cert-manager leaves what the controller has created. */
function stored({ ready, ...change }: Partial<Certificate> & { ready?: string } = {}): Certificate {
  const created = newCertificate(object, 'keys', 3) as Certificate
  const condition = { type: 'Ready', status: ready ?? '', message: 'Issuing certificate.' }
  return { ...created, ...(ready !== undefined && { status: { conditions: [condition] } }), ...change }
}

const created = stored()
const cases: [string, Certificate | undefined, string][] = [
  ['none', undefined, 'ABSENT'],
  ['one that cert-manager has not seen', created, 'ISSUING'],
  ['one that is issued', stored({ ready: 'True' }), 'READY'],
  ['one that is not ready', stored({ ready: 'False' }), 'ISSUING'],
  ['one of another object', stored({ metadata: { name: 'seal-v3' }, ready: 'True' }), 'REFUSED'],
  [
    'one that is being deleted',
    stored({ metadata: { ...created.metadata, deletionTimestamp: 'now' }, ready: 'True' }),
    'ISSUING',
  ],
  ['one of another issuer', stored({ spec: { ...created.spec, issuerRef: { name: 'other' } } }), 'OTHER'],
  ['one of another duration', stored({ spec: { ...created.spec, duration: '721h' } }), 'OTHER'],
  ['one with the duration in other words', stored({ spec: { ...created.spec, duration: '719h60m0s' }, ready: 'True' }), 'READY'],
]
for (const [name, certificate, kind] of cases)
  it(`judges ${name}`, () => expect(judgeCertificate(certificate, object).kind).toBe(kind))

it('says what cert-manager says', () => {
  expect(judgeCertificate(stored({ ready: 'False' }), object)).toEqual({
    kind: 'ISSUING',
    message: 'The Certificate seal-v3 is not ready: Issuing certificate.',
  })
})
