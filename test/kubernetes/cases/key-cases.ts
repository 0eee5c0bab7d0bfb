// The rules of SigningKey.
import { keySpec, ORG_ID, OTHER_ORG_ID } from '../../support/builders/custom-resources.ts'
import type { Case, Change } from './case.ts'

const provider = (value: object) => ({ provider: value })
const PKCS12 = { type: 'PKCS12', pkcs12: { secretRef: { name: 'seal' } } }
const SELF_SIGNED = { type: 'SelfSigned', selfSigned: {} }
const certManager = (changes: object = {}) =>
  provider({ type: 'CertManager', certManager: { issuerRef: { name: 'ca' }, ...changes } })

export const KEYS: Case[] = [
  { rule: 'orgId is a uuid', accepted: keySpec({ orgId: ORG_ID }), refused: keySpec({ orgId: '1' }), because: 'spec.orgId' },
  {
    rule: 'state is known',
    accepted: keySpec({ state: 'Retired' }),
    refused: { ...keySpec(), state: 'Off' },
    because: 'spec.state: Unsupported value',
  },
  {
    rule: 'compromisedSince is a time',
    accepted: keySpec({ compromisedSince: '2026-01-15T08:00:00Z' }),
    refused: keySpec({ compromisedSince: 'yesterday' }),
    because: 'spec.compromisedSince',
  },
  { rule: 'provider is required', accepted: keySpec(), refused: { state: 'Active' }, because: 'spec.provider: Required value' },
  {
    rule: 'provider.type is known',
    accepted: provider(SELF_SIGNED),
    refused: provider({ type: 'KMS' }),
    because: 'Unsupported value: "KMS"',
  },
  {
    rule: 'Installation is for origin API',
    accepted: { origin: 'API', ...provider({ type: 'Installation' }) },
    refused: provider({ type: 'Installation' }),
    because: 'origin API',
  },
  {
    rule: 'pkcs12 is set for PKCS12',
    accepted: provider(PKCS12),
    refused: provider({ type: 'PKCS12' }),
    because: 'pkcs12 must be set if type is PKCS12, and only then',
  },
  {
    rule: 'only the member of the type is set',
    accepted: provider(SELF_SIGNED),
    refused: provider({ ...PKCS12, ...SELF_SIGNED }),
    because: 'pkcs12 must be set if type is PKCS12, and only then',
  },
  {
    rule: 'selfSigned is set for SelfSigned',
    accepted: provider(SELF_SIGNED),
    refused: provider({ ...PKCS12, type: 'SelfSigned' }),
    because: 'selfSigned must be set if type is SelfSigned, and only then',
  },
  {
    rule: 'certManager is set for CertManager',
    accepted: certManager(),
    refused: provider({ type: 'CertManager' }),
    because: 'certManager must be set if type is CertManager, and only then',
  },
  {
    rule: 'Installation has no member',
    accepted: { origin: 'API', ...provider({ type: 'Installation' }) },
    refused: { origin: 'API', ...provider({ ...SELF_SIGNED, type: 'Installation' }) },
    because: 'selfSigned must be set if type is SelfSigned, and only then',
  },
  {
    rule: 'selfSigned.algorithm is known',
    accepted: provider({ type: 'SelfSigned', selfSigned: { algorithm: 'RSA-3072', commonName: 'Seal' } }),
    refused: provider({ type: 'SelfSigned', selfSigned: { algorithm: 'RSA-1024' } }),
    because: 'Unsupported value: "RSA-1024"',
  },
  {
    rule: 'renewBefore is shorter than duration',
    accepted: certManager({ duration: '1h30m', renewBefore: '89m' }),
    refused: certManager({ duration: '1h30m', renewBefore: '90m' }),
    because: 'renewBefore must be shorter than duration',
  },
  {
    rule: 'renewBefore is shorter than the duration that is used if it is absent',
    accepted: certManager({ renewBefore: '2159h' }),
    refused: certManager({ renewBefore: '2160h' }),
    because: 'renewBefore must be shorter than duration',
  },
  {
    rule: 'duration is what cert-manager accepts',
    accepted: certManager({ duration: '1h' }),
    refused: certManager({ duration: '59m' }),
    because: 'duration must be at least 1h',
  },
  {
    rule: 'renewBefore is what cert-manager accepts',
    accepted: certManager({ renewBefore: '300s' }),
    refused: certManager({ renewBefore: '299s' }),
    because: 'renewBefore must be at least 5m',
  },
  {
    rule: 'durations have units',
    accepted: certManager({ duration: '8760h' }),
    refused: certManager({ duration: '365d' }),
    because: 'spec.provider.certManager.duration',
  },
  {
    rule: 'rotation.every is for providers that can issue',
    accepted: { ...provider(SELF_SIGNED), rotation: { every: '2160h' } },
    refused: keySpec({ rotation: { every: '2160h' } }),
    because: 'rotation.every is for providers that can issue',
  },
  {
    rule: 'rotation.every is at least a minute',
    accepted: { ...certManager(), rotation: { every: '1m' } },
    refused: { ...certManager(), rotation: { every: '59s' } },
    because: 'every must be at least 1m',
  },
  {
    rule: 'rotation.request has 1 to 64 characters',
    accepted: keySpec({ rotation: { request: 'now' } }),
    refused: keySpec({ rotation: { request: 'tab\t' } }),
    because: 'spec.rotation.request',
  },
]

export const KEY_CHANGES: Change[] = [
  {
    rule: 'orgId cannot be added',
    before: keySpec(),
    accepted: keySpec({ state: 'Standby' }),
    refused: keySpec({ orgId: ORG_ID }),
    because: 'orgId is immutable',
  },
  {
    rule: 'orgId cannot be removed',
    before: keySpec({ orgId: ORG_ID }),
    accepted: keySpec({ orgId: ORG_ID, rotation: { request: '1' } }),
    refused: keySpec(),
    because: 'orgId is immutable',
  },
  {
    rule: 'orgId cannot change',
    before: keySpec({ orgId: ORG_ID }),
    accepted: keySpec({ orgId: ORG_ID }),
    refused: keySpec({ orgId: OTHER_ORG_ID }),
    because: 'orgId is immutable',
  },
  {
    rule: 'origin is immutable',
    before: keySpec({ origin: 'Kubernetes' }),
    accepted: keySpec(),
    refused: keySpec({ origin: 'API' }),
    because: 'origin is immutable',
  },
  {
    rule: 'provider.type is immutable',
    before: keySpec(),
    accepted: provider({ type: 'PKCS12', pkcs12: { secretRef: { name: 'other', key: 'k', passwordKey: 'p' } } }),
    refused: provider(SELF_SIGNED),
    because: 'provider.type is immutable',
  },
  {
    rule: 'Retired is final',
    before: keySpec({ state: 'Retired' }),
    accepted: keySpec({ state: 'Retired', compromisedSince: '2026-01-15T08:00:00Z' }),
    refused: keySpec({ state: 'Active' }),
    because: 'Retired is final',
  },
  {
    rule: 'Retired cannot be removed',
    before: keySpec({ state: 'Retired' }),
    accepted: keySpec({ state: 'Retired' }),
    refused: keySpec(),
    because: 'Retired is final',
  },
  {
    rule: 'Active, Standby and absence can follow each other',
    before: keySpec({ state: 'Active' }),
    accepted: keySpec({ state: 'Standby' }),
    refused: { ...keySpec(), state: '' },
    because: 'spec.state',
  },
]
