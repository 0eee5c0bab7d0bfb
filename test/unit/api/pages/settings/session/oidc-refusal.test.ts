import { describe, expect, test } from 'vitest'
import { takeOidcRefusal } from '../../../../../../api/pages/settings/session/oidc-refusal.ts'

function take(hash: string) {
  const addresses: string[] = []
  const history = { replaceState: (_data: null, _unused: string, url: string) => void addresses.push(url) }
  const refusal = takeOidcRefusal({ hash, pathname: '/settings/people', search: '?page=2' }, history)
  return { refusal, addresses }
}

describe("a refusal by the organisation's own sign-in", () => {
  test('is told once and leaves the address', () => {
    expect(take('#error=PERSON_UNKNOWN')).toEqual({ refusal: 'PERSON_UNKNOWN', addresses: ['/settings/people?page=2'] })
  })

  test('that has no words of its own is a failure like others', () => {
    expect(take('#error=%3Cscript%3E').refusal).toBe('SIGN_IN_FAILED')
  })

  test.each(['', '#', '#content'])('is not read into %j', (hash) => {
    expect(take(hash)).toEqual({ refusal: undefined, addresses: [] })
  })
})
