// Secrets that are handed out once, and what is kept of them.
import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as base64url, 43 characters: signing tokens and client secrets (ASVS 11.5.1). */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token: its SHA-256. Tokens have 256 bits, so no salt or slow hash is due (ASVS 6.5.2). */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
