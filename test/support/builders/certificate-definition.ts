// The part of cert-manager's custom resource definition that the controller uses, with cert-manager's names, types and allowed values.
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'

const text = { type: 'string' }
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

const SPEC = object(
  {
    secretName: text,
    commonName: text,
    duration: text,
    renewBefore: text,
    issuerRef: object({ name: text, kind: text, group: text }, ['name']),
    privateKey: object({
      algorithm: oneOf('RSA', 'ECDSA', 'Ed25519'),
      encoding: oneOf('PKCS1', 'PKCS8'),
      rotationPolicy: oneOf('Never', 'Always'),
      size: { type: 'integer' },
    }),
    renewal: object({ policy: oneOf('Disabled', 'RenewBefore') }),
    revisionHistoryLimit: { type: 'integer', format: 'int32', minimum: 1 },
    usages: { type: 'array', items: oneOf('signing', 'digital signature', 'content commitment', 'key encipherment') },
  },
  ['issuerRef', 'secretName'],
)

const STATUS = object({
  conditions: {
    type: 'array',
    items: object(
      {
        type: text,
        status: oneOf('True', 'False', 'Unknown'),
        reason: text,
        message: text,
        lastTransitionTime: { type: 'string', format: 'date-time' },
        observedGeneration: { type: 'integer', format: 'int64' },
      },
      ['status', 'type'],
    ),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  },
  notBefore: { type: 'string', format: 'date-time' },
  notAfter: { type: 'string', format: 'date-time' },
  renewalTime: { type: 'string', format: 'date-time' },
  revision: { type: 'integer' },
})

export const CERTIFICATE_DEFINITION: KubeObject & { spec: object } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: { plural: 'certificates', singular: 'certificate', kind: 'Certificate', listKind: 'CertificateList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: object({ apiVersion: text, kind: text, metadata: { type: 'object' }, spec: SPEC, status: STATUS }),
        },
      },
    ],
  },
}
