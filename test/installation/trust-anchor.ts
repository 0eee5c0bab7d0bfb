// The root of an installation's seals, as an admin downloads it from the panel.
import { X509Certificate } from 'node:crypto'
import type { PanelClient } from '../support/clients/panel-client.ts'

/** DER of the root certificate of the active sealing key. */
export async function trustAnchor(admin: PanelClient): Promise<Buffer> {
  const { body: keys } = await admin.get('/signing-keys')
  const { fingerprint } = keys.find(({ current }: { current: boolean }) => current)
  const { body: chain } = await admin.get(`/signing-keys/${fingerprint}/chain`)
  const certificates: string[] = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  const root = certificates.map((pem) => new X509Certificate(pem)).find((each) => each.checkIssued(each))
  if (!root) throw new Error('The chain ends in no root.')
  return root.raw
}
