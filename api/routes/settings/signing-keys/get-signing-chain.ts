import { getSigningChain } from '#core/signing-key/get-signing-chain.ts'
import { definePanelFileRoute } from '../../../http/define-route.ts'
import { SigningKeyPath } from '../../../schemas/signing-key.ts'

export const getSigningChainRoute = definePanelFileRoute({
  operationId: 'getSigningChain',
  summary: 'Download the certificate chain of a key as PEM',
  access: 'member',
  method: 'get',
  path: '/settings/api/signing-keys/:fingerprint/chain',
  params: SigningKeyPath,
  success: 200,
  produces: ['application/pem-certificate-chain'],
  errors: ['SIGNING_KEY_NOT_FOUND'],
  handle: async ({ core, caller, params }) => ({
    kind: 'file',
    fileName: `sealwright-${params.fingerprint.slice(0, 16)}.pem`,
    contentType: 'application/pem-certificate-chain',
    bytes: Buffer.from(await getSigningChain(core, caller.orgId, params.fingerprint)),
  }),
})
