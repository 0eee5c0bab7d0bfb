// The certificate extensions that Node does not expose (RFC 5280 4.2): criticality, path length, key identifiers, purposes.
import type { Certificate } from '../certificate.ts'
import { contextTag, derOid, TAG } from '../der.ts'
import { derChildren, DerError, type DerValue, openDer, readDer } from '../read-der.ts'

export interface Extension {
  readonly critical: boolean
  /** DER of the extension value. */
  readonly value: Buffer
}

/** Extensions by OID (DER as hex). */
export type Extensions = ReadonlyMap<string, Extension>

export const EXTENSION = {
  subjectKeyIdentifier: extensionKey('2.5.29.14'),
  keyUsage: extensionKey('2.5.29.15'),
  subjectAltName: extensionKey('2.5.29.17'),
  basicConstraints: extensionKey('2.5.29.19'),
  certificatePolicies: extensionKey('2.5.29.32'),
  authorityKeyIdentifier: extensionKey('2.5.29.35'),
  extendedKeyUsage: extensionKey('2.5.29.37'),
} as const

/** [0] IMPLICIT OCTET STRING of AuthorityKeyIdentifier (4.2.1.1). */
const KEY_IDENTIFIER = 0x80

/** Throws DerError for malformed or duplicate extensions. */
export function readExtensions({ der }: Certificate): Extensions {
  const tbs = openDer(readDer(der, TAG.sequence)).take(TAG.sequence)
  const last = derChildren(tbs).at(-1)
  const list = last?.tag === contextTag(3) ? derChildren(readDer(last.body, TAG.sequence)) : []
  const extensions = new Map(list.map(readExtension))
  if (extensions.size < list.length) throw new DerError('an extension is there twice')
  return extensions
}

/** How many certificates may be between this one and the signer's; undefined when it may not issue certificates. */
export function issuingDepth(extensions: Extensions): number | undefined {
  const constraints = extensions.get(EXTENSION.basicConstraints)
  if (constraints === undefined) return undefined
  const cursor = openDer(readDer(constraints.value, TAG.sequence))
  const isIssuer = cursor.takeIf(TAG.boolean)?.body[0] === 0xff
  const limit = cursor.takeIf(TAG.integer)?.body
  cursor.end()
  if (!isIssuer) return undefined
  if (limit === undefined) return Infinity
  const [depth = 0] = limit
  // One octet is enough for any chain that is accepted here; a negative number allows none.
  return limit.length > 1 ? Infinity : depth < 0x80 ? depth : undefined
}

/** Whether the key identifiers say that the certificate is self-signed: only then may the issuer's be missing. */
export function claimsOwnKey(extensions: Extensions): boolean {
  const own = extensions.get(EXTENSION.subjectKeyIdentifier)
  const authority = extensions.get(EXTENSION.authorityKeyIdentifier)
  if (own === undefined || authority === undefined) return own !== undefined
  const issuing = openDer(readDer(authority.value, TAG.sequence)).takeIf(KEY_IDENTIFIER)
  return issuing?.body.equals(readDer(own.value, TAG.octetString).body) === true
}

/** The OIDs of extendedKeyUsage (DER as hex); undefined without the extension. */
export function purposesOf(extensions: Extensions): string[] | undefined {
  const usage = extensions.get(EXTENSION.extendedKeyUsage)
  return usage && derChildren(readDer(usage.value, TAG.sequence)).map(({ raw }) => raw.toString('hex'))
}

/** The key of an extension or purpose in maps and lists. */
export function extensionKey(oid: string): string {
  return derOid(oid).toString('hex')
}

function readExtension(extension: DerValue): [string, Extension] {
  const cursor = openDer(readDer(extension.raw, TAG.sequence))
  const key = cursor.take(TAG.oid).raw.toString('hex')
  const critical = (cursor.takeIf(TAG.boolean)?.body[0] ?? 0) !== 0
  const value = cursor.take(TAG.octetString).body
  cursor.end()
  return [key, { critical, value }]
}
