// Names of this machine, as URLs and Host headers write them.
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** Whether a URL's host name, or a `Host` header without its port, names this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}
