// The /dev pages show other people's emails without a sign-in: only browsers and programs on this machine see them.
import type { CoreSettings } from '#core/context.ts'
import { isLoopbackHost } from '#core/platform/config/loopback.ts'
import type { Request, RequestHandler } from 'express'
import { BlockList } from 'node:net'
import { hostNamesOf } from './host-names.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

/** Headers of proxies, for which every client is the proxy's own address. */
const PROXIED = /^(forwarded|via|x-forwarded-.+|x-real-ip)$/

/** Whether /dev pages exist: the service listens on loopback only, and no public name leads to it. */
export function hasDevPages({ host, publicUrl }: Pick<CoreSettings, 'host' | 'publicUrl'>): boolean {
  return isLoopbackHost(host.includes(':') ? `[${host}]` : host) && isLoopbackHost(new URL(publicUrl).hostname)
}

/** Passes other requests on, so that they are answered like any unknown path. */
export function onThisMachine(pages: RequestHandler): RequestHandler {
  return (request, response, next) => (isFromThisMachine(request) ? pages(request, response, next) : next())
}

/** Whether the request comes from a client on this machine, not through a proxy. */
export function isFromThisMachine(request: Request): boolean {
  const { remoteAddress = '', remoteFamily } = request.socket
  return (
    LOOPBACK.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4') &&
    hostNamesOf(request).every(isLoopbackHost) &&
    !Object.keys(request.headers).some((name) => PROXIED.test(name))
  )
}
