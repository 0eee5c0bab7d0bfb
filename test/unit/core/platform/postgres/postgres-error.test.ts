import { DomainError } from '#core/platform/errors/domain-error.ts'
import { fromPostgresError } from '#core/platform/postgres/postgres-error.ts'
import postgres from 'postgres'
import { describe, expect, test } from 'vitest'

/** An error as the driver creates it from the server's response. */
function refusedByServer(fields: { code: string; constraint_name?: string; routine?: string }): Error {
  return Object.assign(new postgres.PostgresError('refused'), fields)
}

/** An error of a socket or of the driver itself. */
function lost(code: string): Error {
  return Object.assign(new Error('lost'), { code })
}

describe('an error of Postgres', () => {
  test.each([
    ['signers_sign_order_unique', 'DUPLICATE_SIGN_ORDER'],
    ['signatures_one_per_signer', 'ALREADY_SIGNED'],
    ['people_email_unique', 'EMAIL_TAKEN'],
  ])('by the constraint %s is %s', (constraint_name, code) => {
    const error = refusedByServer({ code: '23505', constraint_name })
    const translated = fromPostgresError(error)
    expect(translated).toBeInstanceOf(DomainError)
    expect(translated).toMatchObject({ code, kind: expect.stringMatching(/^(rule|conflict)$/), cause: error })
  })

  test.each([
    [
      'a constraint that no request may reach',
      refusedByServer({ code: '23505', constraint_name: 'credentials_client_id_unique' }),
    ],
    ['a syntax error', refusedByServer({ code: '42601' })],
    ['row-level security', refusedByServer({ code: '42501' })],
    ['an internal error', refusedByServer({ code: 'XX000' })],
  ])('for %s stays a bug', (_, error) => {
    expect(fromPostgresError(error)).toBe(error)
  })
})

describe('a rollback by Postgres', () => {
  test.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a statement that took too long', '57014'],
    ['an idle transaction', '25P03'],
    ['a race of two updates', 'XX000', 'MultiXactIdCreateFromMembers'],
  ])('for %s (%s) means try again', (_, code, routine?: string) => {
    expect(fromPostgresError(refusedByServer({ code, ...(routine && { routine }) }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 5,
    })
  })
})

describe('a server that cannot be reached', () => {
  test.each([
    'CONNECT_TIMEOUT',
    'CONNECTION_CLOSED',
    'CONNECTION_DESTROYED',
    'CONNECTION_ENDED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])('%s means try again', (code) => {
    const error = lost(code)
    expect(fromPostgresError(error)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      kind: 'unavailable',
      retryAfterSeconds: 5,
      cause: error,
    })
  })

  test.each([
    ['connection failure', '08006'],
    ['a pooler that lost its server', '08P01'],
    ['too many connections', '53300'],
    ['disk full', '53100'],
    ['out of memory', '53200'],
    ['a standby, or a full server that accepts no writes', '25006'],
    ['ended because it was idle', '57P05'],
    ['a disk that fails', '58030'],
    ['stopped by an operator', '57P01'],
    ['after a crash', '57P02'],
    ['starting', '57P03'],
  ])('%s (%s) means try again', (_, code) => {
    expect(fromPostgresError(refusedByServer({ code }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
  })
})

describe('every other error', () => {
  test.each([
    ['of the domain', new DomainError('ALREADY_SIGNED')],
    ['of ours', new TypeError('x')],
    ['of the file system', lost('ENOENT')],
    ['with a code that is a number', Object.assign(new Error('x'), { code: 8006 })],
    ['that is a text', 'ECONNREFUSED'],
    ['that is nothing', undefined],
  ])('%s is unchanged', (_, error) => {
    expect(fromPostgresError(error)).toBe(error)
  })
})
