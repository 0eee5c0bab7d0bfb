// A signing key as the command line and the controller see it, built from its rows.
import { type Certificate, isIssuedBy, nameOnOneLine, readCertificate, readPemCertificates } from '#core/pades/certificate.ts'
import type { KeyRow, KeyScope } from './key-store.ts'
import type { KeyCertificate, KeyMaterial, KeyVersionView, LoadedBy, SigningKeyView } from './signing-key.ts'
import type { VersionRow } from './version-store.ts'
import type { LoadRow } from './worker-store.ts'

/** `rows`: the versions of all keys; `loads`: those of all live workers. */
export function toKeyView(key: KeyRow & KeyScope, rows: readonly VersionRow[], loads: readonly LoadRow[]): SigningKeyView {
  const versions = rows.filter(({ keyId }) => keyId === key.id).map((row) => toVersionView(row, loads))
  const active = versions.find(({ state }) => state === 'ACTIVE')
  const next = versions.find(({ state }) => state === 'ANNOUNCED' || state === 'FAILED')
  return {
    ...pick(key),
    versions: versions.slice(0, 10),
    active,
    next,
    loadedBy: loadedBy(loads, key.id, (next ?? active)?.version),
    rotation: next && active ? { since: next.announcedAt } : null,
    object: toObject(key),
  }
}

function pick(key: KeyRow & KeyScope) {
  const { id, orgId, origin, providerType, state, createdAt, compromisedSince, handledRequest, rowVersion, orphanedAt } = key
  const { scopeTrustedUntil, isReplaced } = key
  const common = { id, orgId, origin, providerType, state, createdAt, compromisedSince, handledRequest, rowVersion, orphanedAt }
  return { ...common, scopeTrustedUntil, isReplaced }
}

function toObject({
  objectNamespace,
  objectName,
  objectUid,
  objectGeneration,
  objectCreatedAt,
}: KeyRow): SigningKeyView['object'] {
  if (
    objectNamespace === null ||
    objectName === null ||
    objectUid === null ||
    objectGeneration === null ||
    objectCreatedAt === null
  )
    return null
  return {
    namespace: objectNamespace,
    name: objectName,
    uid: objectUid,
    generation: objectGeneration,
    createdAt: objectCreatedAt,
  }
}

function toVersionView(row: VersionRow, loads: readonly LoadRow[]): KeyVersionView {
  const { version, state, selfMade, request, announcedAt, activatedAt, retiredAt } = row
  return {
    version,
    state,
    selfMade,
    request,
    announcedAt,
    activatedAt,
    retiredAt,
    material: toMaterial(row),
    certificate: row.certificate && toCertificate(row.certificate, row.chain ?? ''),
    failure: failureOf(row, loads),
    isReleased: row.releasedAt !== null,
  }
}

function failureOf(row: VersionRow, loads: readonly LoadRow[]): KeyVersionView['failure'] {
  const { keyId, version, state, failureReason, failureMessage } = row
  if (failureReason) return { reason: failureReason, message: failureMessage ?? '' }
  if (state !== 'ACTIVE') return null
  const failed = loads.find((load) => load.keyId === keyId && load.version === version && load.outcome === 'FAILED')
  return failed?.reason ? { reason: failed.reason, message: failed.message ?? '' } : null
}

/** The material of a version, from its row; null when it was deleted. */
export function toMaterial({ kind, reference }: Pick<VersionRow, 'kind' | 'reference'>): KeyMaterial | null {
  if (kind === null) return null
  if (kind !== 'SECRET') return { kind }
  if (!reference) throw new Error('The version has no reference to its Secret.')
  return { kind, ...reference }
}

function toCertificate(der: Buffer, chain: string): KeyCertificate {
  const certificate = readCertificate(der)
  const { x509, serial } = certificate
  const top = readPemCertificates(chain).map(readCertificate).at(-1) ?? certificate
  return {
    fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: nameOnOneLine(x509.subject),
    issuer: nameOnOneLine(x509.issuer),
    serial: x509.serialNumber.toLowerCase() || serial.toString('hex'),
    notBefore: x509.validFromDate,
    notAfter: x509.validToDate,
    isSelfSigned: isIssuedByItself(certificate),
    isChainComplete: isIssuedByItself(top),
  }
}

function isIssuedByItself(certificate: Certificate): boolean {
  return isIssuedBy(certificate, certificate)
}

function loadedBy(loads: readonly LoadRow[], keyId: string, version: number | undefined): LoadedBy {
  const workers = Map.groupBy(loads, ({ workerId }) => workerId)
  const missing = [...workers.values()]
    .filter((rows) => !rows.some((row) => row.keyId === keyId && row.version === version && row.outcome === 'LOADED'))
    .flatMap(([row]) => row?.name ?? [])
  return { loaded: workers.size - missing.length, live: workers.size, missing }
}
