// Which proxies may say whom they speak for: their addresses, or how many stand in front of the service.
import { isIP } from 'node:net'
import { z } from 'zod'

const MOST_HOPS = 10

/** A number of hops, or addresses and CIDRs with commas. Trusting everybody is refused: then every caller could name any address. */
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
  // Express cannot read an IPv4 address right behind `::`; the same in hexadecimal, or behind `::ffff:`, it can.
  if (/::\d+\./.test(address)) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
