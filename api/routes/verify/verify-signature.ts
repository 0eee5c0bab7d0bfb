import { SignatureId } from '#core/ids.ts'
import { verifySignature } from '#core/seal/verify-signature.ts'
import { z } from 'zod'
import { definePublicRoute } from '../../http/define-route.ts'
import { text } from '../../schemas/text.ts'

export const verifySignatureRoute = definePublicRoute({
  operationId: 'verifyDocument',
  audience: 'public',
  method: 'get',
  path: '/api/v1/verify',
  params: z.object({}),
  query: z.object({ id: SignatureId, h: text(128) }),
  success: 200,
  errors: [],
  handle: async ({ core, query }) => {
    const { signedAt, ...verdict } = await verifySignature(core, query.id, query.h)
    return { ...verdict, ...(signedAt && { signedAt: signedAt.toISOString() }) }
  },
})
