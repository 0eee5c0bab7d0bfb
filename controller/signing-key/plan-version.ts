// How a key that is due to get another version gets it, by its provider. Pure.
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { Plan } from './effect.ts'
import { type DueVersion, dueVersion } from './next-version.ts'
import { pkcs12Material } from './parts.ts'
import type { SigningKeyObject } from './resource.ts'
import type { Snapshot } from './snapshot.ts'

export function planVersion(snapshot: Snapshot, object: SigningKeyObject, row: SigningKeyView): Plan {
  const due = dueVersion(object, row, snapshot)
  if (!due) return { effects: [] }
  const { provider } = object.spec
  const material = pkcs12Material(object, snapshot.namespace)
  if (material) return { effects: [{ do: 'announce', material, request: due.request }] }
  if (provider.selfSigned) return { effects: [{ do: 'generate', ...due }] }
  return planIssuing(snapshot, due)
}

/** The version is announced when cert-manager has written its Secret. */
function planIssuing({ certificate, namespace }: Snapshot, { version, request }: DueVersion): Plan {
  const { kind } = certificate
  if (kind === 'REFUSED' || kind === 'ISSUING') return { effects: [], pending: certificate.message }
  if (kind === 'OTHER') return { effects: [{ do: 'delete-certificate', version }] }
  // A sweep does not read it.
  if (kind === 'ABSENT' || kind === 'UNREAD') return { effects: [{ do: 'create-certificate', version }] }
  const { secretName: name } = certificate
  return { effects: [{ do: 'announce', material: { kind: 'SECRET', namespace, name, key: 'tls.key' }, request }] }
}
