// Delays sign-ins after wrong passwords. An attempt counts as failed before its password is checked and is taken back when it was right, so that a
// thousand concurrent attempts are not all checked first.
import type { Core, ClientInfo } from '#core/context.ts'
import { type PasswordVerdict, verifyPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { PersonId } from '#core/ids.ts'
import { FREE_SIGN_IN_FAILURES, SIGN_IN_FAILURES_KEPT_SECONDS } from '#core/limits.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { foldAddress } from '#core/account/person/rules.ts'
import { clientNetworkOf } from '#core/account/rate/client-network.ts'
import { type CounterKey, deleteCounter, lockCounter, takeBackFailure, updateCounter } from './counter-store.ts'
import { failuresOf, pauseSeconds, waitSeconds } from './rules.ts'

export interface Attempt {
  /** The person with the given address, if any. */
  personId: PersonId | undefined
  email: string
  /** The device cookie of an earlier sign-in, if any. */
  device: string | undefined
  origin: ClientInfo
}

/** The counters of an attempt. A browser that has signed this person in before has its own instead of the account's, so that failing on purpose
 *  cannot lock people out (OWASP, device cookies). */
export function countersOf(keys: Core['keys'], { personId, email, device, origin }: Attempt): CounterKey[] {
  const subject = (text: string) => keys.signInSubject(text)
  const nonce = personId && device && knownNonce(keys, personId, device)
  const account: CounterKey = nonce
    ? { kind: 'DEVICE', subject: subject(nonce) }
    : { kind: 'ACCOUNT', subject: subject(personId ?? foldAddress(email)) }
  return origin.address === null ? [account] : [account, { kind: 'ADDRESS', subject: subject(clientNetworkOf(origin.address)) }]
}

/** Counts an attempt. Throws RATE_LIMITED, counting nothing, while one of its counters pauses. */
export async function admitAttempt(core: Pick<Core, 'database'>, keys: readonly CounterKey[]): Promise<void> {
  await inTransaction(core.database, async (sql) => {
    const counters = []
    // One after the other: attempts that share an account and an address lock them in the same order.
    for (const key of keys) counters.push({ key, counter: await lockCounter(sql, key) })
    const retryAfterSeconds = waitSeconds(counters.map(({ counter }) => counter))
    if (retryAfterSeconds > 0) throw tooManyFailures(retryAfterSeconds)
    for (const { key, counter } of counters) {
      const failures = failuresOf(counter) + 1
      await updateCounter(sql, key, { failures, pauseSeconds: pauseSeconds(key.kind, failures) })
    }
  })
}

/** Always names the account's limit, whichever counter pauses: an address's failures by other people are not disclosed. */
function tooManyFailures(retryAfterSeconds: number): DomainError {
  const limit = {
    name: 'failed-sign-ins',
    count: FREE_SIGN_IN_FAILURES.ACCOUNT,
    windowSeconds: SIGN_IN_FAILURES_KEPT_SECONDS.ACCOUNT,
  }
  return new DomainError('RATE_LIMITED', {
    message: 'Too many failed sign-in attempts. Try again later.',
    limit,
    retryAfterSeconds,
  })
}

/** The attempt was right. The account's counter is deleted; the address's is not, or an attacker could reset it with an account of their own. */
export async function forgiveAttempt(core: Pick<Core, 'database'>, keys: readonly CounterKey[]): Promise<void> {
  await inTransaction(core.database, async (sql) => {
    for (const key of keys) await (key.kind === 'ADDRESS' ? takeBackFailure(sql, key) : deleteCounter(sql, key))
  })
}

/** The attempt was neither right nor wrong: it does not count, and what failed before still does. */
export async function takeBackAttempt(core: Pick<Core, 'database'>, keys: readonly CounterKey[]): Promise<void> {
  await inTransaction(core.database, async (sql) => {
    for (const key of keys) await takeBackFailure(sql, key)
  })
}

/** Runs the check of an admitted attempt. When it fails with an error, the attempt does not count. */
export async function checkAttempt<Result>(
  core: Pick<Core, 'database'>,
  keys: readonly CounterKey[],
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    await takeBackAttempt(core, keys)
    throw error
  }
}

/** Checks the password of an admitted attempt. Throws SERVICE_UNAVAILABLE when too many passwords wait to be checked. */
export async function checkPassword(
  core: Pick<Core, 'database'>,
  keys: readonly CounterKey[],
  { password, hash }: { password: string; hash: string | null },
): Promise<PasswordVerdict> {
  return checkAttempt(core, keys, () => verifyPassword(password, hash))
}

/** A new password resets the account's failures. */
export async function forgetFailures({ database, keys }: Pick<Core, 'database' | 'keys'>, personId: PersonId): Promise<void> {
  await deleteCounter(database, { kind: 'ACCOUNT', subject: keys.signInSubject(personId) })
}

/** The device cookie after a sign-in: `nonce.proof`. */
export function toDevice(keys: Core['keys'], personId: PersonId, nonce: string): string {
  return `${nonce}.${keys.deviceProof(personId, nonce)}`
}

function knownNonce(keys: Core['keys'], personId: PersonId, device: string): string | undefined {
  const [nonce = '', proof = ''] = device.split('.')
  return keys.isDeviceProof(proof, personId, nonce) ? nonce : undefined
}
