// What a seal says.

export interface SealContents {
  signerName: string
  signerEmail: string
  /** The organisation that asked for the signature; may be empty. */
  organisationName: string
  signedAt: Date
  signatureId: string
  verificationCode: string
  /** The content of the QR code. */
  verifyUrl: string
  /** From checkSignatureImage. */
  imagePng: Buffer
}
