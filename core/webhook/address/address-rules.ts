// Decides whether a webhook may be delivered to an IP address. Anything that is not known to be public is refused.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { embeddedAddresses, receivingAddresses } from './embedded-addresses.ts'

/** CIDRs or single addresses. `denied` wins over what is allowed, which permits addresses that are not public. An IPv4 network also denies the IPv6
 *  addresses that contain one of it, and allows none of them. */
export interface AddressRules {
  allowed: readonly string[]
  denied: readonly string[]
  /** IPv4 addresses that are allowed with one port only: `127.0.0.1:4430`. */
  allowedEndpoints?: readonly string[]
}

export type AddressVerdict = 'public' | 'allowed' | 'refused'
type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Global unicast (RFC 4291 2.4): no other IPv6 address is assigned on the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's platform service. It has a public address but answers only inside Azure. */
const AZURE_PLATFORM = '168.63.129.16'

/** Returns the function that judges addresses in their text form, for connections to a port. Throws when a rule is not a CIDR, so that a mistake in a setting permits nothing. */
export function compileRules(rules: AddressRules): (text: string, port: number) => AddressVerdict {
  const allowed = rules.allowed.map(toNetwork)
  const denied = rules.denied.map(toNetwork)
  return (text, port) => {
    const address = parseAddress(text)
    if (!address || [address, ...embeddedAddresses(address)].some((each) => isInside(each, denied))) return 'refused'
    if (rules.allowedEndpoints?.includes(`${text}:${port}`)) return 'allowed'
    // The form in which the packet leaves: a network that is allowed directly is not allowed through a gateway.
    if (isInside(address, allowed)) return 'allowed'
    const inside = receivingAddresses(address)
    return (inside.length > 0 ? inside : [address]).every(isPublic) ? 'public' : 'refused'
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 ? address.toString() !== AZURE_PLATFORM : address.match(GLOBAL_UNICAST)
}

function parseAddress(text: string): Address | undefined {
  // Only the usual forms: ipaddr.js also reads octal and shortened IPv4 addresses. A zone names an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return undefined
  return ipaddr.parse(text)
}

function toNetwork(rule: string): Network {
  const [base = '', prefix, ...rest] = rule.split('/')
  const address = parseAddress(base)
  const bits = address?.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!address || rest.length > 0 || !(length <= bits)) throw new Error(`${rule} is not a CIDR.`)
  return [address, length]
}

function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, length]) => {
    if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, length)
    return base instanceof ipaddr.IPv6 && address.match(base, length)
  })
}
