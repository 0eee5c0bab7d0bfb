// A signer's client: it has only the link's token.
import { type Answer, clientWithToken } from './api-client.ts'

/** A PNG of 40 x 12 pixels with a diagonal line. */
export const SIGNATURE_IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAMCAYAAAAQw/9NAAAAJ0lEQVR42mNgYGD4jwcPCvCfSMww6uBRx44mhVHHjiaFUccOvaQAAGOhcJCXQxMnAAAAAElFTkSuQmCC'

export function signer(url: string, token: string) {
  const anyone = clientWithToken(url)
  const path = `/api/v1/sign/${token}`
  return {
    open: (): Promise<Answer> => anyone.get(path),
    requestOtp: () => anyone.post(`${path}/request-otp`),
    verifyOtp: (challengeId: string, code: string) => anyone.post(`${path}/verify-otp`, { challengeId, code }),
    viewOpened: () => anyone.post(`${path}/view-opened`),
    viewClosed: (body?: unknown) => anyone.post(`${path}/view-closed`, body),
    sign: (body: Record<string, unknown> = {}) => anyone.post(`${path}/sign`, { signatureImage: SIGNATURE_IMAGE, ...body }),
    signedCopy: () => anyone.get(`${path}/signed-documents`),
  }
}
