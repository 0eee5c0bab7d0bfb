// Errors of Postgres and of the connection at start, as one sentence that names the setting.
import postgres from 'postgres'
import { StartupError, type StartupErrorKind } from '#core/platform/errors/startup-error.ts'
import { fromPostgresError, isUnavailable } from './postgres-error.ts'

interface Sentence {
  kind: StartupErrorKind
  text: string
}

const USER_REFUSED: Sentence = { kind: 'DATABASE_REFUSED', text: 'the server refuses this user' }
const RIGHTS: Sentence = { kind: 'DATABASE_RIGHTS', text: 'the user lacks the required privileges' }
const NOT_MIGRATED: Sentence = { kind: 'DATABASE_NOT_MIGRATED', text: 'migrations are pending; run "sealwright migrate"' }

const INSUFFICIENT_PRIVILEGE = '42501'

/** Sentences by SQLSTATE. */
const SENTENCES: Partial<Record<string, Sentence>> = {
  '28P01': { kind: 'DATABASE_REFUSED', text: 'the user or the password is wrong' },
  '28000': USER_REFUSED,
  '3D000': { kind: 'DATABASE_REFUSED', text: 'the database does not exist' },
  [INSUFFICIENT_PRIVILEGE]: RIGHTS,
  '25006': { kind: 'DATABASE_READ_ONLY', text: 'the database is read-only' },
  // The first migration creates the roles; before it a pool of a role cannot even connect.
  '22023': NOT_MIGRATED,
  // Between the creation of the roles and the grants, or on a server where another database created the roles.
  '42P01': NOT_MIGRATED,
}

/** The errors of a TLS handshake with a server that does not speak TLS. */
const NO_TLS = /wrong version number|before secure TLS connection was established/
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

const UNKNOWN: Sentence = { kind: 'DATABASE_REFUSED', text: 'the database cannot be used' }

/** The StartupError for an error of the driver; a StartupError unchanged. */
export function toDatabaseError(error: unknown): StartupError {
  if (error instanceof StartupError) return error
  const sentence = sentenceOf(error) ?? UNKNOWN
  return new StartupError(sentence.kind, spelledOut(sentence, error), error)
}

/** The sentence for an error that affects all work with the database; undefined for one of a single statement, or a bug. */
export function outageOf(error: unknown): string | undefined {
  const sentence = sentenceOf(error)
  if (!sentence || sentence.kind === 'DATABASE_RIGHTS' || sentence.kind === 'DATABASE_NOT_MIGRATED') return undefined
  return spelledOut(sentence, error)
}

function spelledOut({ text }: Sentence, error: unknown): string {
  const detail = error instanceof Error && error.message ? ` (${error.message})` : ''
  return `SEALWRIGHT_DATABASE_URL: ${text}${detail}.`
}

/** The StartupError for a missing grant, which waiting cannot fix; other errors unchanged. */
export function toGrantsError(error: unknown): unknown {
  return error instanceof postgres.PostgresError && error.code === INSUFFICIENT_PRIVILEGE ? toDatabaseError(error) : error
}

/** The error that a command prints: in the words of the catalogue or of the connection; others unchanged. */
export function toCommandError(error: unknown): unknown {
  const known = fromPostgresError(error)
  return isUnavailable(error) || (known === error && error instanceof postgres.PostgresError) ? toDatabaseError(error) : known
}

function sentenceOf(error: unknown): Sentence | undefined {
  const state = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = encryptionSentence(state, error instanceof Error ? error.message : '') ?? SENTENCES[state]
  if (known) return known
  return isUnavailable(error) ? { kind: 'DATABASE_UNREACHABLE', text: 'the database cannot be reached' } : undefined
}

function encryptionSentence(state: string, message: string): Sentence | undefined {
  if (state === '28000' && message.includes('no encryption'))
    return { ...USER_REFUSED, text: 'the server requires TLS; add sslmode=verify-full to the URL' }
  if (NO_TLS.test(message)) return { ...USER_REFUSED, text: 'the server does not offer TLS, but sslmode requires it' }
  if (UNTRUSTED.test(state)) return { ...USER_REFUSED, text: 'the certificate of the server is not trusted' }
  return undefined
}
