// Why a server cannot listen, in one sentence that names the setting to change.

/** Errors of the host setting, not of the port: an address of another machine, or an invalid one. */
const HOST_ERRORS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** The sentence for the `error` event of a server; `portSetting` is the setting of the port. */
export function toListenError(cause: NodeJS.ErrnoException, host: string, port: number, portSetting: string): Error {
  const isHost = cause.syscall === 'getaddrinfo' || HOST_ERRORS.has(cause.code ?? '')
  const setting = isHost ? 'SEALWRIGHT_HOST' : portSetting
  return new Error(`Cannot listen on ${host}:${port}: ${cause.message}. See ${setting}.`, { cause })
}
