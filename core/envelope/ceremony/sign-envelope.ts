// A signer signs. Signature, status, events and the seal job are one transaction under the envelope's lock.
import type { Locale } from '#core/platform/text/locale.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { newId, SignatureId } from '#core/ids.ts'
import { CONSENT_VERSION } from './consent.ts'
import { withSigningLink, ownerOf } from './with-signing-link.ts'
import type { GuardedLink, LinkOwner } from './link-store.ts'
import { readGateState } from './read-signing-link.ts'
import { type DrawnSeal, recordSignature } from './record-signature.ts'
import { assertActable, assertOtpPermission, assertViewed, type EnvelopeState, type LinkState } from './rules.ts'
import { type CodeInput, checkOtp } from './check-otp.ts'

export interface SignInput {
  /** base64 of a PNG, with or without a data URL prefix. */
  signatureImage: string
  /** A code entered in the signing form; counts as a try. */
  code?: CodeInput | undefined
  /** The language in which the signer read the consent. */
  language: Locale
}

export interface SignOutcome {
  /** Whether it was the last signature. */
  completed: boolean
  owner: LinkOwner
}

/** Checks in this order: link, state, image, code, view. Throws SIGNING_LINK_NOT_FOUND, ENVELOPE_NOT_OPEN, ALREADY_SIGNED, NOT_YOUR_TURN,
 *  SIGNATURE_IMAGE_INVALID, OTP_PAUSED, OTP_CHALLENGE_NOT_FOUND, OTP_REQUIRED, VIEW_REQUIRED; then nothing is signed. */
export async function signEnvelope(
  core: Core,
  token: string,
  { signatureImage, code, language }: SignInput,
  origin: ClientInfo,
): Promise<SignOutcome> {
  const owner = await ownerOf(core, token)
  const seen = await readGateState(core, owner)
  assertActable(seen, seen)
  const imagePng = await core.threads.drawing.checkImage(signatureImage, owner.orgId)
  if (code) await tryInlineCode(core, owner, code, origin)
  const link = code ? await readGateState(core, owner) : seen
  assertGates(link, link)
  // Drawn before the lock is taken, so that other signers do not wait for it; the gates are checked again under the lock.
  const drawn = await drawSeal(core, owner, link, imagePng)
  const completed = await withSigningLink(core, owner, async (context) => {
    assertGates(context.link, context.envelope)
    return recordSignature(core.keys, context, drawn, { version: CONSENT_VERSION, language }, origin)
  })
  return { completed, owner }
}

function assertGates(link: LinkState, envelope: EnvelopeState): void {
  assertActable(link, envelope)
  assertOtpPermission(link, envelope)
  assertViewed(link)
}

/** Checks the code in a separate transaction: a wrong code stays counted although nothing is signed. */
async function tryInlineCode(core: Core, owner: LinkOwner, code: CodeInput, origin: ClientInfo): Promise<void> {
  await withSigningLink(core, owner, async (context) => {
    assertActable(context.link, context.envelope)
    if (context.envelope.otpRequired) await checkOtp(core, context, code, origin)
  })
}

async function drawSeal(
  core: Core,
  { orgId }: LinkOwner,
  { name, email, organisationName, now }: GuardedLink,
  imagePng: Buffer,
): Promise<DrawnSeal> {
  const signatureId = newId(SignatureId)
  const verificationCode = core.keys.verificationCode(signatureId)
  const contents = {
    signerName: name,
    signerEmail: email,
    organisationName,
    signedAt: now,
    signatureId,
    verificationCode,
    verifyUrl: `${core.settings.publicUrl}/verify?id=${signatureId}&h=${verificationCode}`,
    imagePng,
  }
  const appearance = await core.threads.drawing.draw(contents, orgId)
  return { signatureId, signedAt: now, appearance }
}
