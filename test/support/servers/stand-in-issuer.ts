// What cert-manager does with a Certificate: it writes the Secret, then the condition Ready.
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type Certificate, CERTIFICATES } from '../../../controller/signing-key/certificate.ts'
import { pemEntries } from '../builders/signing-keys.ts'
import type { KeyWorld } from './key-world.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

export interface StandInIssuer {
  certificate: (name: string) => Promise<Certificate>
  /** Writes its Secret, and says so. */
  issue: (name: string, now?: Date) => Promise<void>
  /** Says why it does not issue. */
  deny: (name: string, message: string) => Promise<void>
}

export function standInIssuer({ world: { kube, namespace } }: Pick<KeyWorld, 'world'>): StandInIssuer {
  const path = (name: string, subresource?: string) => objectPath(CERTIFICATES, namespace, name, subresource)
  const certificate = (name: string) => kube.requests.request<Certificate>({ method: 'GET', path: path(name) })
  const report = async (name: string, status: 'True' | 'False', message: string) => {
    const { metadata } = await certificate(name)
    const condition = { type: 'Ready', status, reason: status === 'True' ? 'Ready' : 'DoesNotExist', message }
    const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: metadata.generation }]
    const contentType = 'application/merge-patch+json'
    await kube.requests.request({ method: 'PATCH', path: path(name, 'status'), contentType, body: { status: { conditions } } })
  }
  return {
    certificate,
    async issue(name, now = new Date()) {
      const { spec } = await certificate(name)
      const stringData = pemEntries(await newSelfSignedKey({ commonName: name, organisation: 'Stand-in issuer', now }))
      const metadata = { name: spec.secretName, annotations: { 'cert-manager.io/certificate-name': name } }
      const body = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, stringData }
      await kube.requests.request({ method: 'POST', path: objectPath(SECRETS, namespace), body })
      await report(name, 'True', 'Certificate is up to date and has not expired')
    },
    deny: (name, message) => report(name, 'False', message),
  }
}
