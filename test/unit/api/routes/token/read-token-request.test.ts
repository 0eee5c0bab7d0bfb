import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { readTokenRequest } from '../../../../../api/routes/token/read-token-request.ts'

const GRANT = 'grant_type=client_credentials'
const PAIR = 'client_id=swc_1&client_secret=hush'
const read = (form: string, authorization?: string) => readTokenRequest(new URLSearchParams(form), authorization)
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('a token request with credentials in its body', () => {
  test.each([
    ['as RFC 6749, 4.4.2 shows it', `${GRANT}&${PAIR}`],
    ['with the one scope', `${GRANT}&${PAIR}&scope=org_api`],
    ['with the one scope twice', `${GRANT}&${PAIR}&scope=org_api%20org_api`],
    ['with an empty scope, which counts as none (3.1)', `${GRANT}&${PAIR}&scope=`],
    ['with unknown fields, which are ignored (3.2)', `${GRANT}&${PAIR}&audience=x&foo=`],
  ])('is read %s', (_, form) => {
    expect(read(form)).toEqual({ clientId: 'swc_1', clientSecret: 'hush', basic: false })
  })

  test.each([
    ['no grant type', PAIR, 'invalid_request'],
    ['an empty grant type', `grant_type=&${PAIR}`, 'invalid_request'],
    ['an empty body', '', 'invalid_request'],
    ['another grant', `grant_type=password&${PAIR}`, 'unsupported_grant_type'],
    ['the grant in capitals', `grant_type=CLIENT_CREDENTIALS&${PAIR}`, 'unsupported_grant_type'],
    ['a refresh', `grant_type=refresh_token&${PAIR}`, 'unsupported_grant_type'],
    ['the grant type twice', `${GRANT}&${GRANT}&${PAIR}`, 'invalid_request'],
    ['the secret twice', `${GRANT}&${PAIR}&client_secret=other`, 'invalid_request'],
    ['an unknown field twice', `${GRANT}&${PAIR}&x=1&x=2`, 'invalid_request'],
    ['another scope', `${GRANT}&${PAIR}&scope=admin`, 'invalid_scope'],
    ['another scope beside the one', `${GRANT}&${PAIR}&scope=org_api+admin`, 'invalid_scope'],
    ['no client', GRANT, 'invalid_client'],
    ['no secret', `${GRANT}&client_id=swc_1`, 'invalid_client'],
    ['no id', `${GRANT}&client_secret=hush`, 'invalid_client'],
    ['an empty secret', `${GRANT}&client_id=swc_1&client_secret=`, 'invalid_client'],
  ])('is refused for %s', (_, form, error) => {
    expect(read(form)).toEqual({ error, description: expect.stringMatching(/\.$/), basic: false })
  })

  test('differs from the header when rejected, because only then a challenge is required (5.2)', () => {
    expect(read(GRANT)).toMatchObject({ error: 'invalid_client', basic: false })
    expect(read(GRANT, 'Basic !')).toMatchObject({ error: 'invalid_client', basic: true })
  })

  test('repeats no input in its error', () => {
    for (const form of [`grant_type=hush&${PAIR}`, `${GRANT}&${PAIR}&scope=hush`, `${GRANT}&${PAIR}&hush=1&hush=2`])
      expect(JSON.stringify(read(form))).not.toContain('hush')
  })
})

describe('a token request with HTTP Basic', () => {
  test.each([
    ['plain', basic('swc_1:hush')],
    ['with the scheme in small letters', basic('swc_1:hush').replace('Basic', 'basic')],
    ['with the scheme in capitals', basic('swc_1:hush').replace('Basic', 'BASIC')],
    ['with more than one space (RFC 9110, 11.4)', basic('swc_1:hush').replace(' ', '  ')],
  ])('is read %s', (_, authorization) => {
    expect(read(GRANT, authorization)).toEqual({ clientId: 'swc_1', clientSecret: 'hush', basic: true })
  })

  test.each([
    ['an id of one character', 'i:s', 'i', 's'],
    ['a colon in the secret', 'id:a:b:c', 'id', 'a:b:c'],
    ['escapes', 'id%3A1:s%25%2B', 'id:1', 's%+'],
    ['plus signs for spaces', 'my+id:my+secret', 'my id', 'my secret'],
    ['escaped UTF-8', 'id:%C3%A9', 'id', 'é'],
  ])('is decoded twice, base64 and form (2.3.1): %s', (_, text, clientId, clientSecret) => {
    expect(read(GRANT, basic(text))).toEqual({ clientId, clientSecret, basic: true })
  })

  test('accepts any characters in id and secret', () => {
    const encode = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)
    const texts = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(texts, texts, (clientId, clientSecret) => {
        const authorization = basic(`${encode(clientId)}:${encode(clientSecret)}`)
        expect(read(GRANT, authorization)).toEqual({ clientId, clientSecret, basic: true })
      }),
    )
  })

  test.each([
    ['the id repeated in the body', `${GRANT}&client_id=swc_1`],
    ['an empty secret in the body, which counts as none (3.2)', `${GRANT}&client_secret=`],
  ])('may have %s', (_, form) => {
    expect(read(form, basic('swc_1:hush'))).toEqual({ clientId: 'swc_1', clientSecret: 'hush', basic: true })
  })

  test('must not have a secret in its body as well (2.3)', () => {
    expect(read(`${GRANT}&${PAIR}`, basic('swc_1:hush'))).toMatchObject({ error: 'invalid_request', basic: true })
  })

  test.each([
    ['another scheme', 'Bearer c3djXzE6aHVzaA=='],
    ['no credentials', 'Basic'],
    ['empty credentials', 'Basic '],
    ['no base64', 'Basic swc_1:hush'],
    ['more than one text', 'Basic c3dj XzE6aHVzaA=='],
    ['nothing', ''],
    ['no colon', basic('swc_1')],
    ['no id', basic(':hush')],
    ['no secret', basic('swc_1:')],
    ['a broken escape', basic('swc_1:%E9')],
    ['an escape that is none', basic('swc_1:100%')],
  ])('is refused for %s in its header', (_, authorization) => {
    expect(read(GRANT, authorization)).toEqual({ error: 'invalid_client', description: expect.any(String), basic: true })
  })

  test('does not fall back to the body when its header is malformed', () => {
    expect(read(`${GRANT}&${PAIR}`, 'Bearer x')).toMatchObject({ error: 'invalid_request', basic: true })
  })
})
