// The Certificate objects of cert-manager: one for each version of a key, so that a new key never replaces one that workers still use.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { ownerOf } from '../projection/object-writes.ts'
import { secondsOf } from '../resource/duration.ts'
import type { SigningKeyObject } from './resource.ts'

export const CERTIFICATES: Resource = {
  group: 'cert-manager.io',
  version: 'v1',
  plural: 'certificates',
  kind: 'Certificate',
}

interface IssuerReference {
  name: string
  kind: string
  group: string
}

/** What of it is read. */
export interface Certificate extends KubeObject {
  spec: { issuerRef: Partial<IssuerReference>; duration?: string; secretName: string }
  status?: {
    conditions?: { type: string; status: string; reason?: string; message?: string; observedGeneration?: number }[]
  }
}

/** The Certificate of a version, as it was found. */
export type IssuedCertificate =
  | { kind: 'UNREAD' }
  | { kind: 'ABSENT' }
  /** It cannot be used, or not be made. */
  | { kind: 'REFUSED'; message: string }
  | { kind: 'OTHER' }
  | { kind: 'ISSUING'; message: string }
  | { kind: 'READY'; secretName: string }

const DEFAULT_DURATION = '2160h'

/** Also the name of the Secret that cert-manager writes. */
export function certificateName({ metadata }: SigningKeyObject, version: number): string {
  return `${metadata.name}-v${version}`
}

/** The Certificate to create. */
export function newCertificate(object: SigningKeyObject, namespace: string, version: number): KubeObject & { spec: object } {
  const name = certificateName(object, version)
  return {
    apiVersion: `${CERTIFICATES.group}/${CERTIFICATES.version}`,
    kind: CERTIFICATES.kind,
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'sealwright' },
      ownerReferences: [ownerOf(object)],
    },
    spec: {
      secretName: name,
      commonName: object.metadata.name,
      ...wantedOf(object),
      privateKey: { algorithm: 'ECDSA', size: 256, encoding: 'PKCS8', rotationPolicy: 'Never' },
      usages: ['digital signature', 'content commitment'],
      revisionHistoryLimit: 1,
      // The next version is a Certificate of its own. cert-manager before 1.21 does not know the policy: it would renew this one shortly before its end.
      renewal: { policy: 'Disabled' },
      renewBefore: '5m',
    },
  }
}

function wantedOf({ spec }: SigningKeyObject): { issuerRef: IssuerReference; duration: string } {
  const { issuerRef, duration = DEFAULT_DURATION } = spec.provider.certManager ?? { issuerRef: { name: '' } }
  const { name, kind = 'Issuer', group = CERTIFICATES.group } = issuerRef
  return { issuerRef: { name, kind, group }, duration }
}

/** What the Certificate means for the version of the object. */
export function judgeCertificate(certificate: Certificate | undefined, object: SigningKeyObject): IssuedCertificate {
  if (!certificate) return { kind: 'ABSENT' }
  const { name, ownerReferences = [], deletionTimestamp } = certificate.metadata
  if (!ownerReferences.some(({ uid }) => uid === object.metadata.uid)) {
    const message = `The Certificate ${name} exists and does not belong to this object. Delete it; it is created again.`
    return { kind: 'REFUSED', message }
  }
  if (deletionTimestamp) return { kind: 'ISSUING', message: `The Certificate ${name} is being deleted, and created again.` }
  return isAsWanted(certificate, object) ? progressOf(certificate) : { kind: 'OTHER' }
}

function progressOf({ metadata: { name, generation }, spec, status }: Certificate): IssuedCertificate {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const isCurrent = (ready?.observedGeneration ?? generation) === generation
  if (ready?.status === 'True' && isCurrent) return { kind: 'READY', secretName: spec.secretName }
  const why = ready?.message ?? 'cert-manager has not reported on it.'
  return { kind: 'ISSUING', message: `The Certificate ${name} is not ready: ${why}` }
}

function isAsWanted({ spec }: Certificate, object: SigningKeyObject): boolean {
  const { issuerRef, duration } = wantedOf(object)
  const { name, kind = 'Issuer', group = CERTIFICATES.group } = spec.issuerRef
  const isSameIssuer = name === issuerRef.name && kind === issuerRef.kind && group === issuerRef.group
  return isSameIssuer && secondsOf(spec.duration ?? DEFAULT_DURATION) === secondsOf(duration)
}
