// Why a server cannot listen, in one sentence that names the setting to change.

/** Of these the port is not to blame: an address that is not this machine's, or that no address at all can be made of. */
const HOST_FAULTS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** The sentence for what a server's `error` event told; `portSetting` is the name of the setting that gave the port. */
export function toListenError(cause: NodeJS.ErrnoException, host: string, port: number, portSetting: string): Error {
  const isHost = cause.syscall === 'getaddrinfo' || HOST_FAULTS.has(cause.code ?? '')
  const setting = isHost ? 'SEALWRIGHT_HOST' : portSetting
  return new Error(`Cannot listen on ${host}:${port}: ${cause.message}. See ${setting}.`, { cause })
}
