// The sentence that a signer agrees to by signing. Versions are append-only, because audit rows name the version: never change a published sentence,
// add a version instead.
import { type Locale, LOCALES } from '#core/platform/text/locale.ts'

/** What the audit row of a signature records. */
export type Consent = Readonly<{ version: number; language: Locale }>

type Sentences = Readonly<Record<Locale, (signerName: string, documentCount: number) => string>>

// Each quotes the label of the sign button of the signing page.
const VERSIONS: readonly [Sentences, ...Sentences[]] = [
  {
    en: (name, count) =>
      count === 1
        ? `By choosing “Sign the document”, I, ${name}, sign the document electronically. I have read it and intend this signature to have the same effect as my handwritten signature.`
        : `By choosing “Sign ${count} documents”, I, ${name}, sign all ${count} documents electronically. I have read them and intend this signature to have the same effect as my handwritten signature.`,
    de: (name, count) =>
      count === 1
        ? `Mit „Dokument unterschreiben“ unterschreibe ich, ${name}, das Dokument elektronisch. Ich habe es gelesen und möchte, dass diese Unterschrift wie meine handschriftliche gilt.`
        : `Mit „${count} Dokumente unterschreiben“ unterschreibe ich, ${name}, alle ${count} Dokumente elektronisch. Ich habe sie gelesen und möchte, dass diese Unterschrift wie meine handschriftliche gilt.`,
  },
]

/** The version that signers see and agree to now. */
export const CONSENT_VERSION = VERSIONS.length

/** The sentence of a version; undefined for a version or language that does not exist. */
export function consentSentence(
  { version, language }: { version: number; language: string },
  signerName: string,
  documentCount: number,
): string | undefined {
  const locale = LOCALES.find((each) => each === language)
  return locale && VERSIONS[version - 1]?.[locale](signerName, documentCount)
}
