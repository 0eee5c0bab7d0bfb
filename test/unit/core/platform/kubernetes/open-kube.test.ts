// Whether a process uses Kubernetes, and where.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { kubernetesIsConfigured, namespaceOf, openKube } from '#core/platform/kubernetes/open-kube.ts'

const nowhere = { folder: '/nonexistent', host: undefined, port: undefined }

async function newPod(files: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-pod-'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return { folder, host: '10.0.0.1', port: '443' }
}

test('a process outside a pod uses Kubernetes only with a kubeconfig', async () => {
  expect(kubernetesIsConfigured({}, nowhere)).toBe(false)
  expect(kubernetesIsConfigured({ kubeconfig: '/some/file' }, nowhere)).toBe(true)
  await expect(openKube({}, nowhere)).rejects.toThrow('SEALWRIGHT_KUBECONFIG is not set')
})

test('a pod uses the API server of its cluster if it has a token', async () => {
  const pod = await newPod({ token: 'a-token', 'ca.crt': '', namespace: 'signing\n' })
  expect(kubernetesIsConfigured({}, pod)).toBe(true)
  expect(kubernetesIsConfigured({}, await newPod({}))).toBe(false)
  await using kube = await openKube({}, pod)
  expect(kube.server).toBe('https://10.0.0.1:443')
  await using overSix = await openKube({}, { ...pod, host: 'fd00::1' })
  expect(overSix.server).toBe('https://[fd00::1]:443')
})

test('the namespace is the setting, else that of the pod, else sealwright', async () => {
  const pod = await newPod({ token: 'a-token', namespace: 'signing\n' })
  expect(namespaceOf({ kubeNamespace: 'chosen' }, pod)).toBe('chosen')
  expect(namespaceOf({}, pod)).toBe('signing')
  expect(namespaceOf({}, nowhere)).toBe('sealwright')
})
