// The kind SigningKey: a private key with its certificate that makes seals, in versions.
import { z } from 'zod'
import { Conditions } from '../resource/conditions.ts'
import type { CustomObject } from '../resource/custom-object.ts'
import { conditionPath, GROUP, type Kind, VERSION } from '../resource/kind.ts'
import { LABEL_LENGTH, ORIGIN_IS_IMMUTABLE } from '../resource/rules.ts'
import { Counter, OrganisationId, Origin, RequestToken, rules, statusText, Time } from '../resource/scalars.ts'
import { Every, Provider } from './provider-schema.ts'

const KeySpec = z
  .object({
    orgId: OrganisationId.optional().describe(
      'The organisation whose seals this key makes. Absent means the whole installation. Immutable; cannot be added or removed.',
    ),
    origin: Origin.optional().describe(
      'Where the key was created. `API`: by the installation or its command line; Postgres decides all fields but rotation.request. `Kubernetes`: this object decides. Absent means `Kubernetes`. Immutable.',
    ),
    state: z
      .enum(['Standby', 'Active', 'Retired'])
      .optional()
      .describe(
        '`Active`: makes seals. `Standby`: is loaded and tried, makes none. `Retired`: makes none, final. Absent means `Active`.',
      ),
    compromisedSince: Time.optional().describe(
      'The private key may be in the hands of others since then. Seals made from then on verify as not valid.',
    ),
    provider: Provider,
    rotation: z
      .object({
        request: RequestToken.optional().describe(
          'Any text, for example the date. A new value starts one rotation. Done when status.handledRequest has the same value.',
        ),
        every: Every.optional(),
      })
      .optional()
      .describe('Replaces the key by a new version. Seals of earlier versions stay valid.'),
  })
  .meta({
    ...rules(
      ORIGIN_IS_IMMUTABLE,
      {
        rule: 'has(self.orgId) == has(oldSelf.orgId) && (!has(self.orgId) || self.orgId == oldSelf.orgId)',
        message: 'orgId is immutable and cannot be added or removed. Create another object for another scope.',
        fieldPath: '.orgId',
      },
      {
        rule: "!has(oldSelf.state) || oldSelf.state != 'Retired' || has(self.state) && self.state == 'Retired'",
        message: 'Retired is final. Create another key.',
        fieldPath: '.state',
      },
      {
        rule: "self.provider.type != 'Installation' || has(self.origin) && self.origin == 'API'",
        message: "The provider Installation is for the installation's own key (origin API).",
        fieldPath: '.provider.type',
      },
      {
        rule: "!has(self.rotation) || !has(self.rotation.every) || self.provider.type in ['SelfSigned', 'CertManager']",
        message: 'rotation.every is for providers that can issue: SelfSigned and CertManager.',
        fieldPath: '.rotation.every',
      },
    ),
    description: 'The desired state.',
  })

const Fingerprint = statusText(64).describe('SHA-256 of the certificate, in hexadecimal.')

const Version = z.object({
  version: Counter.describe('The number of the version, counted from 1.'),
  fingerprint: Fingerprint.optional(),
  subject: statusText(1024).optional().describe('The subject of the certificate.'),
  issuer: statusText(1024).optional().describe('The issuer of the certificate.'),
  serial: statusText(64).optional().describe('The serial number of the certificate, in hexadecimal.'),
  notBefore: Time.optional().describe('From when the certificate is valid.'),
  notAfter: Time.optional().describe('Until when the certificate is valid.'),
})

const ListedVersion = z.object({
  version: Counter.describe('The number of the version, counted from 1.'),
  fingerprint: Fingerprint.optional(),
  state: z
    .enum(['Announced', 'Active', 'Retired', 'Failed'])
    .describe(
      '`Announced`: workers are loading it. `Active`: makes seals. `Retired`: has made seals. `Failed`: could not be used.',
    ),
  notAfter: Time.optional().describe('Until when the certificate is valid.'),
})

const KeyStatus = z
  .object({
    observedGeneration: Counter.optional().describe('The generation of the object that this status is about.'),
    keyId: statusText(36).optional().describe('The id of the key in logs and on the command line.'),
    rowVersion: Counter.optional().describe('The version of the row in Postgres that this status shows.'),
    active: Version.optional().describe('The version that makes seals.'),
    next: Version.optional().describe('The version that a rotation has announced.'),
    versions: z
      .array(ListedVersion)
      .max(10)
      .optional()
      .meta({
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['version'],
        description: 'The last 10 versions, the newest first.',
      }),
    handledRequest: statusText(64).optional().describe('The value of spec.rotation.request that was handled last.'),
    loadedBy: statusText(16).optional().describe('How many of the live seal workers have loaded the newest version, as "3/3".'),
    renewalTime: Time.optional().describe('When the next scheduled rotation is due.'),
    conditions: Conditions.optional(),
  })
  .describe('The observed state. Only the controller writes it.')

export type SigningKeySpec = z.output<typeof KeySpec>
export type SigningKeyStatus = z.output<typeof KeyStatus>
export type SigningKeyObject = CustomObject<SigningKeySpec, SigningKeyStatus>

export const SIGNING_KEYS = { group: GROUP, version: VERSION, plural: 'signingkeys', kind: 'SigningKey' } as const

/** Holds the deletion of an object managed in Kubernetes until its key is retired. */
export const SIGNING_KEY_FINALIZER = 'sealwright.io/signing-key'

/** The object that mirrors the installation's own key. */
export const INSTALLATION_KEY_NAME = 'installation'

export const SIGNING_KEY_KIND: Kind = {
  resource: SIGNING_KEYS,
  singular: 'signingkey',
  shortName: 'skey',
  description:
    'A SigningKey makes the seals of an organisation or of the whole installation. It names where private key and certificate come from and how they are rotated; it never contains them.',
  spec: KeySpec,
  status: KeyStatus,
  rules: [
    LABEL_LENGTH,
    {
      rule: `has(self.spec.origin) && self.spec.origin == 'API' || self.metadata.name != '${INSTALLATION_KEY_NAME}'`,
      message: "The name installation is reserved for the installation's own key.",
    },
  ],
  columns: [
    { name: 'Provider', type: 'string', jsonPath: '.spec.provider.type', description: 'Where the key comes from' },
    { name: 'State', type: 'string', jsonPath: '.spec.state', description: 'Standby, Active or Retired; empty means Active' },
    { name: 'Ready', type: 'string', jsonPath: conditionPath('Ready'), description: 'Summary of the conditions' },
    { name: 'Reason', type: 'string', jsonPath: conditionPath('Ready', 'reason'), description: 'Why it is ready or not' },
    { name: 'Version', type: 'integer', jsonPath: '.status.active.version', description: 'The version that makes seals' },
    // A string: kubectl prints a future date as <invalid>.
    { name: 'Expires', type: 'string', jsonPath: '.status.active.notAfter', description: 'When the certificate expires' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the object' },
    {
      name: 'Fingerprint',
      type: 'string',
      jsonPath: '.status.active.fingerprint',
      description: 'SHA-256 of the certificate',
      isWide: true,
    },
    {
      name: 'Issuer',
      type: 'string',
      jsonPath: '.status.active.issuer',
      description: 'The issuer of the certificate',
      isWide: true,
    },
    { name: 'Loaded', type: 'string', jsonPath: '.status.loadedBy', description: 'Workers that have loaded it', isWide: true },
  ],
  selectableFields: ['.spec.orgId', '.spec.state', '.spec.provider.type'],
}
