// Where a signing key comes from: a union that `type` selects. Exactly the member of that name is set.
import { z } from 'zod'
import { Duration, ObjectName, rules, SecretKey } from '../resource/scalars.ts'

/** What cert-manager uses where a Certificate names no duration. */
const CERT_MANAGER_DURATION = '2160h'

export const Every = Duration.meta({
  ...rules({ rule: "duration(self) >= duration('1m')", message: 'every must be at least 1m.' }),
  description:
    'Rotates the key at this interval, in hours, minutes and seconds (2160h is 90 days). Only for SelfSigned and CertManager.',
})

const Pkcs12 = z
  .object({
    secretRef: z
      .object({
        name: ObjectName.describe('The name of the Secret.'),
        key: SecretKey.optional().describe('The key in the Secret that holds the file. Absent means `tls.p12`.'),
        passwordKey: SecretKey.optional().describe(
          'The key in the Secret that holds the password of the file. Absent means `password`.',
        ),
      })
      .describe(
        'A Secret in the namespace of the keys with a PKCS#12 file and the label `sealwright.io/signing-key: "true"`; no other is read. Point to another Secret, or change the file and set rotation.request, to rotate.',
      ),
  })
  .describe('A private key and its certificates from a PKCS#12 file (.p12, .pfx). Only if type is PKCS12.')

const SelfSigned = z
  .object({
    algorithm: z.enum(['EC-P256', 'RSA-3072']).optional().describe('The kind of key to generate. Absent means `EC-P256`.'),
    commonName: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[^\x00-\x1f\x7f]+$/) // oxlint-disable-line no-control-regex -- they are what it refuses
      .optional()
      .describe('The common name of the certificate. Absent means the name of the object.'),
  })
  .describe(
    'A key that the controller generates, for tests and development: PDF readers do not trust it. Refused unless the installation allows it. Only if type is SelfSigned.',
  )

const CertManager = z
  .object({
    issuerRef: z
      .object({
        name: ObjectName.describe('The name of the issuer.'),
        kind: z
          .string()
          .min(1)
          .max(63)
          .regex(/^[A-Za-z][A-Za-z0-9]*$/)
          .optional()
          .describe('The kind of the issuer. Absent means `Issuer`.'),
        group: ObjectName.optional().describe('The API group of the issuer. Absent means `cert-manager.io`.'),
      })
      .describe('The issuer that signs the certificates.'),
    duration: Duration.optional().describe(
      'How long a certificate is valid, in hours, minutes and seconds. Absent means `2160h` (90 days).',
    ),
    renewBefore: Duration.optional().describe(
      'How long before a certificate expires the key is rotated. Must be shorter than the duration. Absent means a third of the duration.',
    ),
  })
  .meta({
    ...rules(
      {
        rule: `!has(self.renewBefore) || duration(self.renewBefore) < duration(has(self.duration) ? self.duration : '${CERT_MANAGER_DURATION}')`,
        message: 'renewBefore must be shorter than duration (which is 2160h if absent).',
        fieldPath: '.renewBefore',
      },
      {
        rule: "!has(self.duration) || duration(self.duration) >= duration('1h')",
        message: 'duration must be at least 1h.',
        fieldPath: '.duration',
      },
      {
        rule: "!has(self.renewBefore) || duration(self.renewBefore) >= duration('5m')",
        message: 'renewBefore must be at least 5m.',
        fieldPath: '.renewBefore',
      },
    ),
    description: 'A certificate that cert-manager issues, with a new private key for every version. Only if type is CertManager.',
  })

/** The member that each type needs; Installation has none. */
const MEMBERS = { PKCS12: 'pkcs12', SelfSigned: 'selfSigned', CertManager: 'certManager' } as const

export const Provider = z
  .object({
    type: z.enum(['PKCS12', 'SelfSigned', 'CertManager', 'Installation']).meta({
      ...rules({ rule: 'self == oldSelf', message: 'provider.type is immutable. Create another key.' }),
      description:
        'Selects the provider. `PKCS12`, `SelfSigned` and `CertManager` need the member of that name; `Installation` is a key that is kept outside Kubernetes. Immutable.',
    }),
    pkcs12: Pkcs12.optional(),
    selfSigned: SelfSigned.optional(),
    certManager: CertManager.optional(),
  })
  .meta({
    ...rules(
      ...Object.entries(MEMBERS).map(([type, member]) => ({
        rule: `(self.type == '${type}') == has(self.${member})`,
        message: `${member} must be set if type is ${type}, and only then.`,
        fieldPath: `.${member}`,
      })),
    ),
    description: 'Where the private key and its certificate come from.',
  })
