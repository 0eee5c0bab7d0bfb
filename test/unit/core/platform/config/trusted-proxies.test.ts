import { trustedProxies } from '#core/platform/config/trusted-proxies.ts'
import { expect, test } from 'vitest'

test.each([
  ['0', 0],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['192.0.2.1, 2001:db8::/32', ['192.0.2.1', '2001:db8::/32']],
  ['::ffff:192.0.2.1,::c000:201/120', ['::ffff:192.0.2.1', '::c000:201/120']],
])('%s is accepted', (text, value) => {
  expect(trustedProxies.parse(text)).toEqual(value)
})

test.each([
  '',
  '11',
  '-1',
  'loopback',
  'true',
  '*',
  '10.0.0.0/33',
  '::/0',
  '0.0.0.0/0',
  '10.0.0.0/8/8',
  '10.0.0.0/8,',
  '1.2.3',
  '::192.0.2.1',
  '64:ff9b::192.0.2.1/128',
])('"%s" is refused', (text) => {
  expect(trustedProxies.safeParse(text).success).toBe(false)
})
