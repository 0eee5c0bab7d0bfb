import { describe, expect, test } from 'vitest'
import { certificateName } from '../../../../../../api/pages/settings/signing-keys/certificate-name.ts'
import { validityOf } from '../../../../../../api/pages/settings/signing-keys/key-validity.ts'

describe('a certificate', () => {
  test.each([
    ['CN=Contoso Seal, O=Contoso, C=DE', 'Contoso Seal (Contoso)'],
    ['C=DE,O=Contoso,CN=Contoso', 'Contoso'],
    ['CN=Miller\\, Sons, O=Miller', 'Miller, Sons (Miller)'],
    ['CN=Alone', 'Alone'],
    ['OU=Accounts', 'OU=Accounts'],
  ])('%s is called %s', (distinguishedName, name) => {
    expect(certificateName(distinguishedName)).toBe(name)
  })

  test.each([
    ['2026-11-21T12:00:00Z', 'over'],
    ['2026-11-21T12:00:01Z', 'soon'],
    ['2027-01-20T11:59:59Z', 'soon'],
    ['2027-01-20T12:00:00Z', 'valid'],
  ])('until %s is %s', (notAfter, validity) => {
    expect(validityOf({ notAfter }, Date.parse('2026-11-21T12:00:00Z'))).toBe(validity)
  })
})
