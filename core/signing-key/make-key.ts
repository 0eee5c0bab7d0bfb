// Self-signed keys, each with a root of its own.
import { toPemCertificate, type SigningKey } from '#core/pades/signing-key.ts'
import type { KeyAlgorithm } from '#core/pades/self-signed-key.ts'

export type { KeyAlgorithm } from '#core/pades/self-signed-key.ts'

export interface MadeKeyOptions {
  algorithm?: KeyAlgorithm
  /** Absent: the name of the installation's own key. */
  commonName?: string
  now: Date
}

/** A new key. Its library is loaded here, because most processes make none. */
export async function makeKey({ commonName = 'Sealwright self-signed seal', ...options }: MadeKeyOptions): Promise<SigningKey> {
  const { newSelfSignedKey } = await import('#core/pades/self-signed-key.ts')
  return newSelfSignedKey({ ...options, commonName, organisation: 'Sealwright' })
}

/** A new key as the entries of a Kubernetes Secret, in the form in which workers read it with the entry `tls.key`. */
export async function makeSecretEntries(options: MadeKeyOptions): Promise<Record<'tls.key' | 'tls.crt' | 'ca.crt', string>> {
  const { privateKey, certificate, chain } = await makeKey(options)
  return {
    'tls.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'tls.crt': toPemCertificate(certificate),
    'ca.crt': chain.map(toPemCertificate).join(''),
  }
}
