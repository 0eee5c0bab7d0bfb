// A sent envelope with its signing tokens, as the answer of sendEnvelope holds it.
import type { SentEnvelope } from '#core/envelope/send-envelope.ts'
import type { SendResponse } from '../schemas/send.ts'

export function toSendResponse({ signingTokens, ...sent }: SentEnvelope): SendResponse {
  return {
    ...sent,
    signingTokens: signingTokens.map((token) => ({ ...token, expiresAt: token.expiresAt?.toISOString() ?? null })),
  }
}
