// The Secret with the passwords of an evaluation's own servers, and the certificate of the receiver that its test runs.
import { randomBytes } from 'node:crypto'
import { newServerCertificate } from '#core/platform/crypto/server-certificate.ts'
import { z } from 'zod'

export const EvaluationSecrets = z.object({
  databasePassword: z.string(),
  databaseUrl: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  adminPassword: z.string(),
  /** Private key and certificate. */
  'receiver.pem': z.string(),
  'receiver-ca.crt': z.string(),
})
export type EvaluationSecrets = z.infer<typeof EvaluationSecrets>

export interface EvaluationHosts {
  database: string
  /** Under which the relay reaches the receiver. */
  receiver: string
}

const BLOCK = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g

/** New random ones. */
export async function newEvaluationSecrets({ database, receiver }: EvaluationHosts): Promise<EvaluationSecrets> {
  const databasePassword = randomBytes(24).toString('hex')
  const [key = '', certificate = '', authority = ''] =
    (await newServerCertificate([{ type: 'dns', value: receiver }])).match(BLOCK) ?? []
  return {
    databasePassword,
    databaseUrl: `postgres://sealwright:${databasePassword}@${database}:5432/sealwright`,
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
    adminPassword: randomBytes(12).toString('base64url'),
    'receiver.pem': key + certificate,
    'receiver-ca.crt': authority,
  }
}
