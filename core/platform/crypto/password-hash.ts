// People's passwords: argon2id with the parameters of OWASP's password storage guidance (19 MiB, 2 passes), in PHC string format.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { openSemaphore } from '#core/platform/threads/semaphore.ts'

const derive = promisify(argon2)
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const NONCE_BYTES = 16
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// Each hash uses one of the process's four pool threads, which file access needs too, and 19 MiB: two at a time leave room for both.
const semaphore = openSemaphore({ places: 2, maxWaiting: 100, retryAfterSeconds: 2 })

/** A salted hash of the password, `$argon2id$v=19$m=...,t=...,p=...$salt$hash`; takes about 20 ms of one core, off the event loop. Throws
 *  SERVICE_UNAVAILABLE when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES)
  const tag = await deriveInTurn(password, nonce, PARAMETERS)
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toPhcText(nonce)}$${toPhcText(tag)}`
}

export interface PasswordVerdict {
  isRight: boolean
  /** The hash was made with other parameters than new hashes are. */
  isOutdated: boolean
}

/** Verifies the password with the parameters of the hash. Without a hash it does the same work and returns false. Throws SERVICE_UNAVAILABLE as
 *  above, and an Error for a malformed hash. */
export async function verifyPassword(password: string, hash: string | null): Promise<PasswordVerdict> {
  if (hash === null) {
    await deriveInTurn(password, randomBytes(NONCE_BYTES), PARAMETERS)
    return { isRight: false, isOutdated: false }
  }
  const { nonce, tag, ...parameters } = parseHash(hash)
  const derived = await deriveInTurn(password, nonce, { ...parameters, tagLength: tag.length })
  const isOutdated =
    parameters.memory !== PARAMETERS.memory || parameters.passes !== PARAMETERS.passes || tag.length !== PARAMETERS.tagLength
  return { isRight: timingSafeEqual(derived, tag), isOutdated }
}

/** Keyboards and systems send the same password composed or decomposed, so it is normalised (NIST SP 800-63B-4, 3.1.1.2). */
async function deriveInTurn(
  password: string,
  nonce: Buffer,
  parameters: { memory: number; passes: number; parallelism: number; tagLength: number },
): Promise<Buffer> {
  const release = await semaphore.acquire()
  try {
    return await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...parameters })
  } finally {
    release()
  }
}

function parseHash(hash: string) {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(hash) ?? []
  if (!memory) throw new Error('A stored password hash is not in the PHC form of argon2id.')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function toPhcText(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
