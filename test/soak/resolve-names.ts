// Preloaded into a process (`node --import`): names of the soak's receiver lead to this machine, because there need not be a resolver.
import type { LookupAllOptions } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

export const RECEIVER_DOMAIN = 'receiver.example'

const system = dns.lookup
const answer = [{ address: '127.0.0.1', family: 4 }]

async function lookup(name: string, options: LookupAllOptions) {
  return name.endsWith(`.${RECEIVER_DOMAIN}`) ? answer : system(name, options)
}

Object.assign(dns, { lookup })
syncBuiltinESMExports()
