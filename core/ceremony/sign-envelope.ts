// A signer signs. Everything that makes it true is one transaction under the envelope's lock: signature, status, events, the promise to seal.
import type { Core, Origin } from '#core/context.ts'
import { newId, SignatureId } from '#core/ids.ts'
import { assertActable, assertOtpPermission, assertViewed } from './rules.ts'
import { enter, type Visit } from './enter.ts'
import { type DrawnSeal, recordSignature, type SignOutcome } from './record-signature.ts'
import { type CodeInput, tryCode } from './try-code.ts'

export interface SignInput {
  /** base64 of a PNG, with or without its data URL head. */
  signatureImage: string
  /** A code typed into the signing form itself; counts as a try. */
  code?: CodeInput | undefined
}

/** Gates in this order: link, state, image, code, view. Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED, NOT_YOUR_TURN,
 *  SIGNATURE_IMAGE_INVALID, OTP_PAUSED, OTP_CHALLENGE_NOT_FOUND, OTP_REQUIRED, VIEW_REQUIRED; then nothing is signed. */
export async function signEnvelope(
  core: Core,
  token: string,
  { signatureImage, code }: SignInput,
  origin: Origin,
): Promise<SignOutcome> {
  await enter(core, token, { lock: false }, async ({ link, envelope }) => assertActable(link, envelope))
  const imagePng = await core.threads.drawing.checkImage(signatureImage)
  if (code) await tryInlineCode(core, token, code, origin)
  // Drawn before the lock is taken: other signers need not wait for it, and the gates are asked once more under the lock.
  const drawn = await drawSeal(core, token, imagePng)
  return enter(core, token, { lock: true }, async (visit) => {
    assertGates(visit)
    return recordSignature(core.keys, visit, drawn, origin)
  })
}

function assertGates({ link, envelope }: Visit): void {
  assertActable(link, envelope)
  assertOtpPermission(link, envelope)
  assertViewed(link)
}

/** In a transaction of its own: a wrong code stays counted although nothing is signed. */
async function tryInlineCode(core: Core, token: string, code: CodeInput, origin: Origin): Promise<void> {
  await enter(core, token, { lock: true }, async (visit) => {
    assertActable(visit.link, visit.envelope)
    if (visit.envelope.otpRequired) await tryCode(core, visit, code, origin)
  })
}

async function drawSeal(core: Core, token: string, imagePng: Buffer): Promise<DrawnSeal> {
  const { link, now } = await enter(core, token, { lock: false }, async (visit) => {
    assertGates(visit)
    return { link: visit.link, now: visit.envelope.now }
  })
  const signatureId = newId(SignatureId)
  const verificationCode = core.keys.verificationCode(signatureId)
  const appearance = await core.threads.drawing.draw({
    signerName: link.name,
    signerEmail: link.email,
    signedAt: now,
    signatureId,
    verificationCode,
    verifyUrl: `${core.settings.publicUrl}/verify?id=${signatureId}&h=${verificationCode}`,
    imagePng,
  })
  return { signatureId, signedAt: now, appearance }
}
