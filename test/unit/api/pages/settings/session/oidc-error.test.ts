import { describe, expect, test } from 'vitest'
import { takeOidcError } from '../../../../../../api/pages/settings/session/oidc-error.ts'

function take(hash: string) {
  const addresses: string[] = []
  const history = { replaceState: (_data: null, _unused: string, url: string) => void addresses.push(url) }
  const oidcError = takeOidcError({ hash, pathname: '/settings/people', search: '?page=2' }, history)
  return { oidcError, addresses }
}

describe("a oidcError by the organisation's own sign-in", () => {
  test('is shown once and leaves the address', () => {
    expect(take('#error=PERSON_UNKNOWN')).toEqual({ oidcError: 'PERSON_UNKNOWN', addresses: ['/settings/people?page=2'] })
  })

  test('that has no words of its own is a failure like others', () => {
    expect(take('#error=%3Cscript%3E').oidcError).toBe('SIGN_IN_FAILED')
  })

  test.each(['', '#', '#content'])('is not read into %j', (hash) => {
    expect(take(hash)).toEqual({ oidcError: undefined, addresses: [] })
  })
})
