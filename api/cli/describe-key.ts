// A signing key in JSON and in lines for a person.
import type { KeyVersionView, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

/** The key with its versions, newest first. */
export function toKeyJson(key: SigningKeyView) {
  const { id, orgId, origin, providerType, state, compromisedSince, active, loadedBy, object, versions } = key
  return {
    id,
    orgId,
    origin,
    provider: providerType,
    state,
    compromisedSince: compromisedSince?.toISOString() ?? null,
    activeVersion: active?.version ?? null,
    loadedBy,
    object: object && { namespace: object.namespace, name: object.name },
    versions: versions.map(toVersionJson),
  }
}

function toVersionJson({ version, state, selfMade, certificate, failure, activatedAt }: KeyVersionView) {
  return {
    version,
    state,
    selfMade,
    activatedAt: activatedAt?.toISOString() ?? null,
    failure,
    certificate: certificate && {
      fingerprint: certificate.fingerprint,
      subject: certificate.subject,
      issuer: certificate.issuer,
      serial: certificate.serial,
      notBefore: certificate.notBefore.toISOString(),
      notAfter: certificate.notAfter.toISOString(),
    },
  }
}

/** One line for the key, one for each version. */
export function describeKey({
  id,
  orgId,
  origin,
  providerType,
  state,
  compromisedSince,
  loadedBy,
  ...key
}: SigningKeyView): string[] {
  const owner = orgId === null ? 'the installation' : `organisation ${orgId}`
  const from = key.object ? `  SigningKey ${key.object.namespace}/${key.object.name}` : ''
  const bad = compromisedSince ? `  COMPROMISED since ${compromisedSince.toISOString()}` : ''
  const loaded = `loaded by ${loadedBy.loaded}/${loadedBy.live} workers`
  return [
    `${id}  ${state}  ${providerType} (${origin})  for ${owner}  ${loaded}${from}${bad}`,
    ...key.versions.map(describeVersion),
  ]
}

function describeVersion({ version, state, certificate, failure }: KeyVersionView): string {
  const about = certificate
    ? `${toVisibleLine(certificate.subject)}  until ${certificate.notAfter.toISOString()}  ${certificate.fingerprint}`
    : 'not opened yet'
  return `  version ${version}  ${state}  ${about}${failure ? `  (${failure.reason}: ${toVisibleLine(failure.message)})` : ''}`
}
