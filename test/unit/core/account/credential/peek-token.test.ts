import { claimedIssuer } from '#core/account/credential/peek-token.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

function jws(payload: string, header = '{"alg":"ES256"}'): string {
  return [header, payload, 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.')
}

describe('the claimed issuer', () => {
  test('is read from the payload, whatever its strings contain', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 })), fc.string(), (claims, issuer) => {
        const payload = JSON.stringify({ ...claims, iss: issuer })
        fc.pre(payload.length < 5_000)
        expect(claimedIssuer(jws(payload))).toBe(issuer)
      }),
    )
  })

  test.each([
    ['{"iss":"a","iss":"a"}'],
    ['{"iss":"a","\\u0069ss":"b"}'],
    ['{"iss":"a","org":{"id":"1","id":"2"}}'],
    ['{"iss":"a","list":[{"x":1,"x" : 2}]}'],
    ['{"iss":["a"]}'],
    ['["iss"]'],
    ['null'],
    ['{"iss":"a"'],
  ])('is undefined for %s', (payload) => {
    expect(claimedIssuer(jws(payload))).toBeUndefined()
  })

  test.each([
    ['a repeated header', jws('{"iss":"a"}', '{"alg":"ES256","alg":"none"}')],
    ['two parts', jws('{"iss":"a"}').replace(/\.[^.]*$/, '')],
    ['five parts', `${jws('{"iss":"a"}')}.x.y`],
    ['an empty signature', jws('{"iss":"a"}').replace(/[^.]*$/, '')],
    ['a line break at its end', `${jws('{"iss":"a"}')}\n`],
    ['more than 8,192 characters', jws(JSON.stringify({ iss: 'a', pad: 'x'.repeat(6_200) }))],
  ])('is undefined for a token with %s', (_name, token) => {
    expect(claimedIssuer(token)).toBeUndefined()
  })
})
