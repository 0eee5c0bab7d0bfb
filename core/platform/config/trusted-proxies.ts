// The proxies whose X-Forwarded headers are trusted: their addresses, or the number of hops in front of the service.
import { isIP } from 'node:net'
import { z } from 'zod'

const MOST_HOPS = 10

/** A number of hops, or addresses and CIDRs separated by commas. Trusting every address is rejected: any caller could then claim any address. */
export const trustedProxies = z.string().transform((text, context): number | string[] => {
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined
  if (hops !== undefined && hops <= MOST_HOPS) return hops
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.every(isNetwork)) return entries
  context.addIssue({
    code: 'custom',
    message: `must be a number of proxies from 0 to ${MOST_HOPS}, or comma-separated addresses and CIDRs`,
  })
  return z.NEVER
})

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  // Express cannot parse an IPv4 address right after `::`; it can in hexadecimal or after `::ffff:`.
  if (/::\d+\./.test(address)) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
