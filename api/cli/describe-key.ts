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
export function describeKey(key: SigningKeyView): string[] {
  const { id, state, compromisedSince, loadedBy, object } = key
  const parts = [
    id,
    state,
    `for ${ownerOf(key)}`,
    ...(object ? [`SigningKey ${object.namespace}/${object.name}`] : []),
    ...(state === 'RETIRED' ? [] : [`loaded by ${loadedBy.loaded}/${loadedBy.live} workers`]),
    ...(compromisedSince ? [`COMPROMISED since ${compromisedSince.toISOString()}`] : []),
  ]
  return [parts.join('  '), ...key.versions.flatMap(describeVersion)]
}

function ownerOf({ orgId, providerType }: SigningKeyView): string {
  if (orgId !== null) return `organisation ${orgId}`
  return providerType === 'INSTALLATION' ? 'the installation (its own key)' : 'the installation'
}

/** The failure on a line of its own, because it is a sentence. */
function describeVersion(version: KeyVersionView): string[] {
  const { state, certificate, failure } = version
  const about = certificate
    ? [toVisibleLine(certificate.subject), `until ${certificate.notAfter.toISOString()}`, certificate.fingerprint]
    : ['not opened yet']
  const line = [`  version ${version.version}`, state, sourceOf(version), ...about].join('  ')
  return failure ? [line, `    ${failure.reason}: ${toVisibleLine(failure.message)}`] : [line]
}

function sourceOf({ selfMade, material }: KeyVersionView): string {
  if (selfMade) return 'self-signed'
  if (!material) return 'private key deleted'
  if (material.kind === 'FILE') return 'key file'
  return material.kind === 'SECRET' ? `Secret ${material.namespace}/${material.name}` : 'imported'
}
