// The parts of an X.509 certificate that sealing and verifying need: raw DER beside Node's X509Certificate.
import { createHash, X509Certificate } from 'node:crypto'
import { contextTag, derOid, TAG } from './der.ts'
import { derChildren, type DerValue, openDer, readDer } from './read-der.ts'

export interface Certificate {
  der: Buffer
  x509: X509Certificate
  /** Raw DER of the serialNumber INTEGER and of the issuer and subject Names (RFC 5280 4.1.2). */
  serial: Buffer
  issuer: Buffer
  subject: Buffer
  /** undefined without a keyUsage extension, which allows every use. */
  keyUsage: { digitalSignature: boolean; nonRepudiation: boolean; keyCertSign: boolean } | undefined
}

/** A certificate that verification accepts because this installation has sealed with it. */
export interface PinnedCertificate {
  fingerprint: string
  certificate: Buffer
  origin: 'SELF_MADE' | 'IMPORTED'
  /** Seals from this moment on are not proof. */
  compromisedFrom: Date | null
}

const KEY_USAGE = derOid('2.5.29.15')

/** Reads a DER certificate; throws DerError or Node's error for anything else. */
export function readCertificate(bytes: Buffer): Certificate {
  const x509 = new X509Certificate(bytes)
  // NOTE: Node also accepts PEM and trailing bytes; the strict reader refuses both.
  const tbs = openDer(openDer(readDer(bytes, TAG.sequence)).take(TAG.sequence))
  tbs.takeIf(contextTag(0))
  const serial = tbs.take(TAG.integer).raw
  tbs.take(TAG.sequence)
  const issuer = tbs.take(TAG.sequence).raw
  tbs.take(TAG.sequence)
  const subject = tbs.take(TAG.sequence).raw
  tbs.take(TAG.sequence)
  let last: DerValue | undefined
  while (!tbs.done) last = tbs.takeAny()
  const extensions = last?.tag === contextTag(3) ? derChildren(readDer(last.body, TAG.sequence)) : []
  return { der: bytes, x509, serial, issuer, subject, keyUsage: readKeyUsage(extensions) }
}

/** SHA-256 of the DER in lower-case hex: identifies a certificate in pins, records and logs. */
export function certificateFingerprint(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Joins the attributes of a subject or issuer, which Node puts on separate lines; Node returns undefined for an empty name. */
export function nameOnOneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ')
}

/** The certificates of a PEM text as DER, in order; other blocks are skipped. */
export function readPemCertificates(pem: string): Buffer[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => Buffer.from(block.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'))
}

/** True when `issuer` is the named issuer of `certificate` and its key verifies the signature. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  return certificate.issuer.equals(issuer.subject) && certificate.x509.verify(issuer.x509.publicKey)
}

function readKeyUsage(extensions: readonly DerValue[]): Certificate['keyUsage'] {
  const extension = extensions.find((candidate) => openDer(candidate).takeAny().raw.equals(KEY_USAGE))
  if (!extension) return undefined
  const value = derChildren(extension).at(-1)
  // KeyUsage ::= BIT STRING, bit 0 first: one octet of unused bits, then the flags (RFC 5280 4.2.1.3).
  const flags = value && readDer(value.body, TAG.bitString).body[1]
  if (flags === undefined) return { digitalSignature: false, nonRepudiation: false, keyCertSign: false }
  return { digitalSignature: (flags & 0x80) !== 0, nonRepudiation: (flags & 0x40) !== 0, keyCertSign: (flags & 0x04) !== 0 }
}
