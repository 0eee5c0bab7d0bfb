// The IPv4 addresses that an IPv6 address contains. A router or the system may send its packets there.
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Wrapper {
  network: [ipaddr.IPv6, number]
  /** Where the four octets are; with `inverted` each bit is flipped. */
  octets: readonly [number, number, number, number]
  inverted?: boolean
}

const LAST: Wrapper['octets'] = [12, 13, 14, 15]
/** Where a prefix of 48, 56 or 64 bits has the octets: byte 8 is reserved (RFC 6052 2.2). */
const SHORT_PREFIXES: readonly Wrapper['octets'][] = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
]

const network = (cidr: string) => ipaddr.IPv6.parseCIDR(cidr)
const LOCAL_NAT64 = network('64:ff9b:1::/48')

/** Wrappers in use: packets to these addresses reach the ones inside. */
const TRANSLATED: readonly Wrapper[] = [
  // Mapped (RFC 4291 2.5.5.2) and NAT64 (RFC 6052, RFC 8215)
  { network: network('::ffff:0:0/96'), octets: LAST },
  { network: network('64:ff9b::/96'), octets: LAST },
  { network: LOCAL_NAT64, octets: LAST },
  // 6to4 (RFC 3056); Teredo: the server, and the client with inverted bits (RFC 4380 4)
  { network: network('2002::/16'), octets: [2, 3, 4, 5] },
  { network: network('2001::/32'), octets: [4, 5, 6, 7] },
  { network: network('2001::/32'), octets: LAST, inverted: true },
]

/** Not public whatever is inside: compatible and translated addresses are obsolete (RFC 4291 2.5.5.1, RFC 2765). */
const OBSOLETE: readonly Wrapper[] = [
  { network: network('::/96'), octets: LAST },
  { network: network('::ffff:0:0:0/96'), octets: LAST },
]

/** Every IPv4 address inside; none for IPv4 and for most IPv6 addresses. */
export function embeddedAddresses(address: Address): ipaddr.IPv4[] {
  return [...receivingAddresses(address), ...unwrapAll(address, OBSOLETE)]
}

/** The IPv4 addresses to which packets for this one are sent by this machine, a gateway or a relay. */
export function receivingAddresses(address: Address): ipaddr.IPv4[] {
  return [...unwrapAll(address, TRANSLATED), ...ofShortPrefixes(address)]
}

/** A gateway with a shorter prefix of the local range ignores the last octets. All zeros, in whole or in front, mean that it has none. */
function ofShortPrefixes(address: Address): ipaddr.IPv4[] {
  const wrappers = SHORT_PREFIXES.map((octets) => ({ network: LOCAL_NAT64, octets }))
  return unwrapAll(address, wrappers).filter(({ octets: [first] }) => first !== 0)
}

function unwrapAll(address: Address, wrappers: readonly Wrapper[]): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  return wrappers.filter((wrapper) => address.match(wrapper.network)).map((wrapper) => unwrap(address, wrapper))
}

function unwrap(address: ipaddr.IPv6, { octets, inverted }: Wrapper): ipaddr.IPv4 {
  const bytes = address.toByteArray()
  return new ipaddr.IPv4(octets.map((at) => (bytes[at] ?? 0) ^ (inverted ? 0xff : 0)))
}
