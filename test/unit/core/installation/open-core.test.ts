import { publicUrlOf } from '#core/installation/open-core.ts'
import { expect, test } from 'vitest'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['sign.example.test', 'http://sign.example.test:8080'],
  ['::1', 'http://[::1]:8080'],
])('a service that listens on %s has that public URL', (host, url) => {
  expect(publicUrlOf({ host, port: 8080 })).toBe(url)
})

test('a configured public URL is used unchanged', () => {
  expect(publicUrlOf({ host: '::1', port: 8080, publicUrl: 'https://sign.example.test' })).toBe('https://sign.example.test')
})
