// The certificate of the embedded run's webhook receiver, under an authority of its own. Both are kept in the data folder, so that a program that trusts
// the authority can post to the receiver after a restart too.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadOrCreateFile } from '#core/platform/config/load-or-create-file.ts'
import type { DataFolder } from '../data-folder.ts'

export interface ReceiverCertificate {
  /** PEM. */
  key: string
  cert: string
  /** PEM of the authority, also in `keys/webhook-receiver-root.pem`. */
  ca: string
}

/** What an earlier start created, or a new one. */
export async function loadOrCreateCertificate(folder: DataFolder): Promise<ReceiverCertificate> {
  const pem = await loadOrCreateFile(path.join(folder.keys, 'webhook-receiver.pem'), async () => {
    // Loaded here only: most starts find the certificate.
    const { newServerCertificate } = await import('#core/platform/crypto/server-certificate.ts')
    return newServerCertificate([
      { type: 'ip', value: '127.0.0.1' },
      { type: 'dns', value: 'localhost' },
    ])
  })
  const [key = '', cert = '', ca = ''] = pem.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? []
  await writeFile(path.join(folder.keys, 'webhook-receiver-root.pem'), ca)
  return { key, cert, ca }
}
