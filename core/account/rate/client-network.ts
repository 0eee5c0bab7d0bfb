// The network that an address counts for: an IPv4 address itself, an IPv6 address its /64, the smallest network that is assigned.
import { isIPv6 } from 'node:net'

const GROUPS_OF_64_BITS = 4

/** The address, or the first 64 bits of an IPv6 address as four groups of hex digits. */
export function clientNetworkOf(address: string): string {
  const [bare = ''] = address.split('%', 1)
  return isIPv6(bare) ? ipv6Groups(bare).slice(0, GROUPS_OF_64_BITS).join(':') : bare
}

/** The eight groups of the canonical form (RFC 5952), with `::` expanded. */
function ipv6Groups(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (part: string | undefined) => part?.split(':').filter(Boolean) ?? []
  const [left, right] = [split(head), split(tail)]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}
