// Translates Postgres errors into the catalogue: a violated named constraint is a domain rule, a lost connection means "retry".
import postgres from 'postgres'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'

const CODE_OF_CONSTRAINT: Partial<Record<string, ErrorCode>> = {
  signers_sign_order_unique: 'DUPLICATE_SIGN_ORDER',
  signatures_one_per_signer: 'ALREADY_SIGNED',
  workspaces_name_unique: 'WORKSPACE_NAME_TAKEN',
  // The workspace never existed or was being deleted.
  envelopes_workspace: 'WORKSPACE_NOT_FOUND',
  credential_grants_workspace: 'WORKSPACE_NOT_FOUND',
  member_grants_workspace: 'WORKSPACE_NOT_FOUND',
  people_email_unique: 'EMAIL_TAKEN',
  setup_links_person: 'PERSON_NOT_FOUND',
  member_grants_person: 'PERSON_NOT_FOUND',
}

/** A statement was refused because an earlier one of its transaction had failed. */
const TRANSACTION_ABORTED = '25P02'

// Connection lost or refused; server starting, stopping, out of room or no longer primary; too many connections; transaction rolled back for a
// deadlock or a timeout. Nothing was committed, or a retry finds what was.
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '08P01',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '58030',
])

/** Statements are pipelined, so the refusal of a later statement may be reported before the failure of the first, which the driver keeps as its cause. */
function firstFailure(error: unknown): unknown {
  const isRefusal = error instanceof postgres.PostgresError && error.code === TRANSACTION_ABORTED
  return isRefusal ? (error.cause ?? error) : error
}

/** Whether an update met another one of the same row that was just being rolled back, while others locked the row: then Postgres 18 can fail with "new
 *  multixact has more than one updating member". It rolls the transaction back. */
function isUpdateRace(error: Error): boolean {
  return error instanceof postgres.PostgresError && error.routine === 'MultiXactIdCreateFromMembers'
}

/** Whether a migration changed a prepared statement's result ("cached plan must not change result type"). */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.routine === 'RevalidateCachedQuery'
}

/** The detail of an error that one of our SQL functions raises with this SQLSTATE; undefined for every other error. */
export function detailRaised(thrown: unknown, sqlState: string): string | undefined {
  const error = firstFailure(thrown)
  return error instanceof postgres.PostgresError && error.code === sqlState ? error.detail : undefined
}

/** The name of the violated constraint. */
export function brokenConstraint(thrown: unknown): string | undefined {
  const error = firstFailure(thrown)
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined
}

/** Whether the error only means that the database is unavailable. */
export function isUnavailable(error: unknown): boolean {
  const known = fromPostgresError(error)
  return known instanceof DomainError && known.kind === 'unavailable'
}

/** The DomainError for a driver's error, or the error itself when it is a bug. */
export function fromPostgresError(thrown: unknown): unknown {
  const error = firstFailure(thrown)
  if (!(error instanceof Error) || error instanceof DomainError) return error
  const code = CODE_OF_CONSTRAINT[brokenConstraint(error) ?? '']
  if (code) return new DomainError(code, { cause: error })
  const isUnavailableCode = 'code' in error && typeof error.code === 'string' && UNAVAILABLE.has(error.code)
  if (isUnavailableCode || isUpdateRace(error)) {
    return new DomainError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 5 })
  }
  return error
}
