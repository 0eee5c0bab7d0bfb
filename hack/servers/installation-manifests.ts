// What an installation needs in its namespaces besides the custom resource definitions: Roles, ServiceAccounts, admission policies.
import { join } from 'node:path'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { readManifests } from './apply-manifests.ts'
import { CRDS_FOLDER } from './kube-setup.ts'

export interface InstallationNamespaces {
  namespace: string
  /** Where signing keys and their Secrets are. */
  keysNamespace: string
}

interface Manifest extends KubeObject {
  spec?: { policyName?: string }
}

/** The namespace for which the files are written. */
const WRITTEN_FOR = 'sealwright'

/** The Roles, their bindings and the ServiceAccounts of crds/rbac. */
export async function rolesFor(namespaces: InstallationNamespaces): Promise<KubeObject[]> {
  const manifests = await readManifests(join(CRDS_FOLDER, 'rbac'))
  return manifests.map((each) => move(each, namespaces))
}

/** The policies of crds/admission. They are of the whole cluster, so each namespace has its own. */
export async function policiesFor(namespaces: InstallationNamespaces): Promise<KubeObject[]> {
  const manifests = await readManifests(join(CRDS_FOLDER, 'admission'))
  const suffix = namespaces.namespace === WRITTEN_FOR ? '' : `-${namespaces.namespace}`
  return manifests.map((each) => rename(move(each, namespaces), suffix))
}

function move(manifest: KubeObject, { namespace, keysNamespace }: InstallationNamespaces): Manifest {
  const own = manifest.metadata.name.endsWith('-keys') ? keysNamespace : namespace
  const text = JSON.stringify(manifest)
    .replaceAll(`"kubernetes.io/metadata.name":"${WRITTEN_FOR}"`, `"kubernetes.io/metadata.name":"${own}"`)
    .replaceAll(`system:serviceaccount:${WRITTEN_FOR}:`, `system:serviceaccount:${namespace}:`)
    .replaceAll(`"resourceNames":["${WRITTEN_FOR}"]`, `"resourceNames":["${own}"]`)
    // Also in the subjects of bindings: the ServiceAccounts are in the main namespace.
    .replaceAll(`"namespace":"${WRITTEN_FOR}"`, `"namespace":"${namespace}"`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same object with other names
  const moved = JSON.parse(text) as Manifest
  return moved.metadata.namespace === undefined ? moved : { ...moved, metadata: { ...moved.metadata, namespace: own } }
}

function rename(manifest: Manifest, suffix: string): Manifest {
  const policyName = manifest.spec?.policyName
  return {
    ...manifest,
    metadata: { ...manifest.metadata, name: manifest.metadata.name + suffix },
    ...(policyName !== undefined && { spec: { ...manifest.spec, policyName: policyName + suffix } }),
  }
}
