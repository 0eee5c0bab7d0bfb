// A signer, as answers hold it.
import type { Signer } from '#core/envelope/signer/signer.ts'
import type { SignerResponse } from '../schemas/signer.ts'

export function toSignerResponse({ id, email, name, signOrder, status, signedAt }: Signer): SignerResponse {
  return { id, email, name, signOrder, status, signedAt: signedAt?.toISOString() ?? null }
}
