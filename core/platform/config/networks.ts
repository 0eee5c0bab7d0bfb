// Networks in settings.
import { isIP } from 'node:net'
import { z } from 'zod'

/** Addresses and CIDRs separated by commas; empty: none. */
export const networks = z.string().transform((text, context): string[] => {
  if (text === '') return []
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.every(isNetwork)) return entries
  context.addIssue({ code: 'custom', message: 'must be addresses and CIDRs, separated by commas' })
  return z.NEVER
})

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
