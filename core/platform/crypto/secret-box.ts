// Secrets at rest: AES-256-GCM with a new nonce each, and the context as additional data so that a box cannot be moved to another row.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Version byte, nonce, tag, cipher text. */
export function sealBox(key: KeyObject, plain: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), text])
}

/** Throws when the box was altered, made with another key or belongs to another context. */
export function openBox(key: KeyObject, box: Buffer, context: string): string {
  if (box[0] !== VERSION) throw new Error('The secret was stored by an unknown version.')
  const nonce = box.subarray(1, 1 + NONCE_BYTES)
  const tag = box.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
