import { clientNetworkOf } from '#core/account/rate/client-network.ts'
import { describe, expect, test } from 'vitest'

describe('an address is counted', () => {
  test.each([
    ['an IPv4 address for itself', '192.0.2.7', '192.0.2.7'],
    ['an IPv6 address by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['omitted zero groups are expanded', '2001:db8::1', '2001:db8:0:0'],
    ['leading zeros are removed', '2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['the loopback address', '::1', '0:0:0:0'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80:0:0:0'],
    ['an address that ends in IPv4 digits', '64:ff9b::192.0.2.33', '64:ff9b:0:0'],
    ['an invalid address unchanged', 'unknown', 'unknown'],
  ])('%s', (_name, address, network) => {
    expect(clientNetworkOf(address)).toBe(network)
  })
})
