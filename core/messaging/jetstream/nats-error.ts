// Errors of NATS and of the connection as one sentence that names the setting, and whether waiting helps.
import { StartupError } from '#core/platform/errors/startup-error.ts'

const URL = 'SEALWRIGHT_NATS_URL'
const DENIED = new Set(['AuthorizationError', 'UserAuthenticationExpiredError'])
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

/** The StartupError for an error of the library; a StartupError unchanged. */
export function toNatsError(error: unknown): StartupError {
  if (error instanceof StartupError) return error
  const chain = causesOf(error)
  const said = chain.map(({ message }) => message).filter(Boolean)
  const isAny = (matches: (each: Error) => boolean): boolean => chain.some(matches)
  if (isAny(({ name }) => DENIED.has(name))) {
    return new StartupError('NATS_REFUSED', `${URL} or SEALWRIGHT_NATS_CREDS_FILE: the server refuses these credentials.`, error)
  }
  if (isAny((each) => 'code' in each && typeof each.code === 'string' && UNTRUSTED.test(each.code))) {
    return new StartupError('NATS_REFUSED', `${URL}: the certificate of the server is not trusted (${said.at(-1)}).`, error)
  }
  if (isAny(({ message }) => message === "server does not support 'tls'")) {
    return new StartupError('NATS_REFUSED', `${URL}: the server does not offer TLS, but tls:// requires it.`, error)
  }
  if (isAny(({ name }) => name === 'JetStreamNotEnabled')) {
    return new StartupError('NATS_WITHOUT_STREAMS', `${URL}: JetStream is not enabled for the server or the account.`, error)
  }
  if (isAny(({ name }) => name === 'PermissionViolationError')) {
    return new StartupError('NATS_WITHOUT_STREAMS', `${URL}: the user is not allowed to use JetStream (${said.at(-1)}).`, error)
  }
  return new StartupError('NATS_UNREACHABLE', `${URL}: NATS cannot be reached (${said.at(-1) ?? String(error)}).`, error)
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
