import { expect, test } from 'vitest'
import { redact } from '../../../../controller/kubectl/bundle/redact.ts'

test('the path and query of a URL go, its host stays', () => {
  expect(redact({ url: 'https://hooks.example.com:8443/T0/secret?token=x#y' })).toEqual({
    url: 'https://hooks.example.com:8443/[redacted]',
  })
  expect(redact('failed: https://hooks.example.com/T0/secret answered 500')).toBe(
    'failed: https://hooks.example.com/[redacted] answered 500',
  )
  expect(redact('https://user:pass@hooks.example.com/')).toBe('https://hooks.example.com/[redacted]')
  expect(redact('https://hooks.example.com?token=x')).toBe('https://hooks.example.com/[redacted]')
})

test('a URL without a path is left as it is', () => {
  expect(redact('https://hooks.example.com')).toBe('https://hooks.example.com')
})

test('free text and the last applied configuration go, at every depth', () => {
  const object = {
    metadata: {
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"url":"https://a.example/secret"}', team: 'a' },
    },
    spec: { description: 'For Ada Tenant', events: ['envelope.sent'] },
  }
  expect(redact([object])).toEqual([
    { metadata: { annotations: { team: 'a' } }, spec: { description: '[redacted]', events: ['envelope.sent'] } },
  ])
})

test.each([
  ['a signing secret', 'secret whsec_abc-DEF_123 was refused', 'secret [redacted] was refused'],
  ['a private key', 'a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b', 'a [redacted] b'],
  ['a private key that is cut off', 'a -----BEGIN EC PRIVATE KEY-----\nMIIE', 'a [redacted]'],
  ['a token', 'Bearer eyJhbGciOi.eyJzdWIi.c2ln', 'Bearer [redacted]'],
])('%s goes from any text', (_, text, redacted) => {
  expect(redact({ message: text })).toEqual({ message: redacted })
})

test('values that are not text stay', () => {
  expect(redact({ a: 1, b: true, c: null })).toEqual({ a: 1, b: true, c: null })
})
