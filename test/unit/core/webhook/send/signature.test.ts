import { randomBytes } from 'node:crypto'
import { signatureHeader } from '#core/webhook/send/signature.ts'
import { isSignatureValid } from '#core/webhook/verify-signature.ts'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import vectors from '../../../../fixtures/webhook-vectors.json' with { type: 'json' }

const NOW = Math.floor(Date.now() / 1000)
const BODY = Buffer.from('{"id":"evt","title":"Zürich \u2028 😀"}')
const stripe = new Stripe('sk_test_unused')
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`
const verify = (body: Buffer, header: string, secret: string) => stripe.webhooks.constructEvent(body, header, secret)

describe("Stripe's library", () => {
  const [newest, older, other] = [newSecret(), newSecret(), newSecret()]

  test.each([
    ['one secret', [newest]],
    ['two secrets', [newest, older]],
  ])('verifies a delivery signed with %s', (_, secrets) => {
    const header = signatureHeader(NOW, BODY, secrets)
    for (const secret of secrets) expect(verify(BODY, header, secret)).toMatchObject({ id: 'evt' })
    expect(() => verify(BODY, header, other)).toThrow(/No signatures found/)
    expect(() => verify(Buffer.concat([BODY, Buffer.from(' ')]), header, newest)).toThrow(/No signatures found/)
  })

  test('rejects a delivery that is older than its tolerance', () => {
    expect(() => verify(BODY, signatureHeader(NOW - 301, BODY, [newest]), newest)).toThrow(/outside the tolerance/)
  })
})

describe('signatureHeader', () => {
  // requirements: decisions/webhooks/signed string
  test.each(vectors)('gives the published header: $name', ({ secrets, t, body, header }) => {
    expect(signatureHeader(t, Buffer.from(body), secrets)).toBe(header)
  })

  test.each([
    ['no secret', NOW, []],
    ['an empty secret', NOW, ['']],
    ['milliseconds', NOW + 0.5, ['whsec_x']],
  ])('throws for %s', (_, t, secrets) => {
    expect(() => signatureHeader(t, BODY, secrets)).toThrow(/secret|seconds/)
  })
})

describe('isSignatureValid', () => {
  const [newest, older, other] = [newSecret(), newSecret(), newSecret()]
  const header = signatureHeader(NOW, BODY, [newest, older])

  test.each(vectors)('accepts the published header with each secret: $name', ({ secrets, t, body, header: published }) => {
    for (const secret of secrets) expect(isSignatureValid(published, Buffer.from(body), [other, secret], t)).toBe(true)
  })

  test.each<[string, string, Buffer, string[], number]>([
    ['another body', header, Buffer.concat([BODY, Buffer.from(' ')]), [newest], NOW],
    ['another secret', header, BODY, [other], NOW],
    ['no secret', header, BODY, [], NOW],
    ['another time', header.replace(/t=\d+/, `t=${NOW + 1}`), BODY, [newest], NOW],
    ['an old time', header, BODY, [newest], NOW + 301],
    ['a future time', header, BODY, [newest], NOW - 301],
    ['no time', header.replace(/t=\d+,/, ''), BODY, [newest], NOW],
    ['a digest that was cut', header.slice(0, 79), BODY, [newest], NOW],
    ['another scheme', header.replaceAll('v1=', 'v0='), BODY, [newest, older], NOW],
    ['no header', '', BODY, [newest], NOW],
  ])('rejects %s', (_, given, body, secrets, now) => {
    expect(isSignatureValid(given, body, secrets, now)).toBe(false)
  })

  // requirements: decisions/webhooks/freshness tolerance
  test.each([300, -300])('accepts a difference of %i seconds', (seconds) => {
    expect(isSignatureValid(header, BODY, [older], NOW + seconds)).toBe(true)
  })
})
