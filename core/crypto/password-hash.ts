// Passwords of people: argon2id with the parameters of OWASP's password storage guidance (19 MiB, 2 passes), in the PHC text form.
import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** A salted hash of the password, `$argon2id$v=19$m=...,t=...,p=...$salt$hash`; some 20 ms of one core, off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce, ...PARAMETERS })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`
}
