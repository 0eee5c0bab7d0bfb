// The host names by which clients may address the service, beside the public URL's and loopback.
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { isHost } from './forms.ts'

/** Names and addresses without ports, separated by commas; as in a Host header: in lower case, IPv6 in brackets. */
export const hostNames = z.string().transform((text, context): string[] => {
  if (text === '') return []
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  if (names.every(isHost)) return names.map((name) => (isIPv6(name) ? `[${name}]` : name))
  context.addIssue({ code: 'custom', message: 'must be host names without ports, separated by commas' })
  return z.NEVER
})
