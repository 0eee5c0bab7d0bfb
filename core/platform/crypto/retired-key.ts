// What is kept of an installation key that another one has replaced: it verifies rows of the audit trail and printed codes, and decrypts nothing.
import { createHmac, createSecretKey } from 'node:crypto'
import { z } from 'zod'
import type { SignatureId } from '#core/ids.ts'
import { type RetiredSecrets, verificationCodeOf } from './key-set.ts'

export interface RetiredKey {
  auditMac(statement: string): Buffer
  verificationCode(signatureId: SignatureId): string
  storeMark: Buffer
}

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'))
const Stored = z.object({ auditKey: bytes, verificationKey: bytes, storeMark: bytes })

/** Binds the box of a retired key to its row. */
export function retiredContext(proof: Buffer): string {
  return `retired installation key ${proof.toString('hex')}`
}

/** For `seal`. */
export function writeRetired(secrets: RetiredSecrets): string {
  const { auditKey, verificationKey, storeMark } = secrets
  const text = (value: Buffer): string => value.toString('base64')
  return JSON.stringify({ auditKey: text(auditKey), verificationKey: text(verificationKey), storeMark: text(storeMark) })
}

/** Throws when the text is not that of `writeRetired`. */
export function readRetired(text: string): RetiredKey {
  const { auditKey, verificationKey, storeMark } = Stored.parse(JSON.parse(text))
  const [audit, verification] = [createSecretKey(auditKey), createSecretKey(verificationKey)]
  return {
    auditMac: (statement) => createHmac('sha256', audit).update(statement).digest(),
    verificationCode: (signatureId) => verificationCodeOf(verification, signatureId),
    storeMark,
  }
}
