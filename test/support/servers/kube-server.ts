// Global set-up of projects with Kubernetes: one control plane for the run, with our custom resources. Each test file has its own namespace.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { type Kube, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { applyManifests } from '../../../hack/servers/apply-manifests.ts'
import { policiesFor, rolesFor } from '../../../hack/servers/installation-manifests.ts'
import { loadOrCreateKubeCertificates } from '../../../hack/servers/kube-certificates.ts'
import { requestToken } from '../../../hack/servers/kube-setup.ts'
import { kubeToolPath } from '../../../hack/servers/kube-tool.ts'
import { writeKubeconfig } from '../../../hack/servers/kubeconfig-file.ts'
import { startKubeRun } from './kube-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kubeconfig: string
    kubeAuthority: string
    kubectl: string
  }
}

/** Begins to start the control plane of the run. `kube-ready.ts` waits for it in each test file. */
export default async function startKube(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-kube-'))
  const { authority } = await loadOrCreateKubeCertificates(path.join(dataDir, 'certificates'))
  const run = startKubeRun(dataDir)
  project.provide('kubeconfig', path.join(dataDir, 'kubeconfig'))
  project.provide('kubeAuthority', authority)
  project.provide('kubectl', kubeToolPath('kubectl'))
  return async () => run[Symbol.asyncDispose]()
}

export interface KubeNamespace {
  name: string
  /** Of an administrator. */
  kube: Kube
  kubeconfig: string
  /** The kubeconfig of a ServiceAccount of this namespace with the Roles that we ship for its name; its token is in `tokenFile`. */
  serviceAccountKubeconfig: (name: string) => Promise<ServiceAccountFiles>
}

export interface ServiceAccountFiles {
  kubeconfig: string
  tokenFile: string
  /** Replaces the token by a new one. */
  renew: () => Promise<void>
}

const TOKEN_SECONDS = 600

/** A new namespace for this test file; what it opened is closed after the file. `admission`: with the admission policies that we ship. */
export async function kubeNamespace({ admission = false } = {}): Promise<KubeNamespace> {
  const kubeconfig = inject('kubeconfig')
  const kube = await openKube({ kubeconfig })
  const name = `test-${randomBytes(6).toString('hex')}`
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-accounts-'))
  afterAll(async () => {
    await kube[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  await applyManifests(kube.requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }])
  const namespaces = { namespace: name, keysNamespace: name }
  if (admission) await applyManifests(kube.requests, await policiesFor(namespaces))
  const applyRoles = async () => applyManifests(kube.requests, await rolesFor(namespaces))
  let roles: Promise<void> | undefined
  return {
    name,
    kube,
    kubeconfig,
    async serviceAccountKubeconfig(account) {
      await (roles ??= applyRoles())
      await applyManifests(kube.requests, [
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: name } },
      ])
      const files = { kubeconfig: path.join(folder, `${account}.kubeconfig`), tokenFile: path.join(folder, `${account}.token`) }
      const renew = async () => writeFile(files.tokenFile, await requestToken(kube.requests, name, account, TOKEN_SECONDS))
      await renew()
      await writeKubeconfig(files.kubeconfig, {
        server: kube.server,
        authority: inject('kubeAuthority'),
        user: { name: account, tokenFile: files.tokenFile },
        namespace: name,
      })
      return { ...files, renew }
    },
  }
}
