// The IPv4 addresses that an IPv6 address contains. A router or the system may send its packets there.
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Wrapper {
  network: [ipaddr.IPv6, number]
  /** Where the four octets begin; with `inverted` each bit is flipped. */
  at: number
  inverted?: boolean
}

const network = (cidr: string) => ipaddr.IPv6.parseCIDR(cidr)
const MAPPED: Wrapper = { network: network('::ffff:0:0/96'), at: 12 }
const NAT64: Wrapper = { network: network('64:ff9b::/96'), at: 12 }

const WRAPPERS: readonly Wrapper[] = [
  // RFC 4291 2.5.5, RFC 6052
  MAPPED,
  NAT64,
  // IPv4-compatible and translated (RFC 4291 2.5.5.1, RFC 2765)
  { network: network('::/96'), at: 12 },
  { network: network('::ffff:0:0:0/96'), at: 12 },
  // NAT64 for local use, in its form with a 96-bit prefix (RFC 8215)
  { network: network('64:ff9b:1::/48'), at: 12 },
  // 6to4 (RFC 3056); Teredo: the server, and the client with inverted bits (RFC 4380 4)
  { network: network('2002::/16'), at: 2 },
  { network: network('2001::/32'), at: 4 },
  { network: network('2001::/32'), at: 12, inverted: true },
]

/** Every IPv4 address inside; none for IPv4 and for most IPv6 addresses. */
export function embeddedAddresses(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  return WRAPPERS.filter((wrapper) => address.match(wrapper.network)).map((wrapper) => unwrap(address, wrapper))
}

/** The IPv4 address that receives the packets, when this machine (mapped) or a NAT64 gateway (a cluster without IPv4) translates. Else the address. */
export function translatedAddress(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  const wrapper = [MAPPED, NAT64].find((each) => address.match(each.network))
  return wrapper ? unwrap(address, wrapper) : address
}

function unwrap(address: ipaddr.IPv6, { at, inverted }: Wrapper): ipaddr.IPv4 {
  const octets = address.toByteArray().slice(at, at + 4)
  return new ipaddr.IPv4(inverted ? octets.map((octet) => octet ^ 0xff) : octets)
}
