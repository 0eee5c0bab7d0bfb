// Server certificates for tests: valid, and with one fault each.
import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import type { TlsOptions } from 'node:tls'
import { SubjectAlternativeNameExtension } from '@peculiar/x509'
import { type Issued, newCertificate, USAGE } from '../../unit/core/pades/certificate-builder.ts'

export interface TlsCertificates {
  /** PEM of the authority that issued all but the self-signed and the untrusted one. */
  ca: string
  valid: TlsOptions
  /** Expired on 2026-10-01. */
  expired: TlsOptions
  notYetValid: TlsOptions
  wrongHost: TlsOptions
  selfSigned: TlsOptions
  untrusted: TlsOptions
}

const DAY_MS = 86_400_000

/** Issues certificates for these names and addresses. */
export async function newTlsCertificates(names: readonly string[]): Promise<TlsCertificates> {
  const aroundNow = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) }
  const newAuthority = () => newCertificate({ name: 'Authority', issuingDepth: null, ...aroundNow, notBefore: new Date(0) })
  const [authority, stranger] = [await newAuthority(), await newAuthority()]
  const issue = async (options: { issuer?: Issued; notBefore?: Date; notAfter?: Date } = {}, hosts = names) =>
    toTls(
      await newCertificate({
        name: 'receiver',
        issuer: authority,
        usages: USAGE.digitalSignature,
        ...aroundNow,
        ...options,
        extensions: [
          new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value }))),
        ],
      }),
    )
  const self = await newCertificate({
    name: 'receiver',
    usages: USAGE.digitalSignature,
    ...aroundNow,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  })
  return {
    ca: toPem(authority),
    valid: await issue(),
    expired: await issue({ notBefore: new Date('2026-01-01'), notAfter: new Date('2026-10-01') }),
    notYetValid: await issue({ notBefore: new Date(Date.now() + DAY_MS), notAfter: new Date(Date.now() + 2 * DAY_MS) }),
    wrongHost: await issue({}, ['other.example.com']),
    selfSigned: toTls(self),
    untrusted: await issue({ issuer: stranger }),
  }
}

function toTls(issued: Issued): TlsOptions {
  return { key: issued.privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: toPem(issued) }
}

function toPem({ certificate }: Issued): string {
  return new X509Certificate(certificate).toString()
}
