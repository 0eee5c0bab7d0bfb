// `kubectl sealwright` on a namespace of its own, and what a test writes there in place of the controller.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { runKubectlCommand } from '../../../controller/kubectl/run-command.ts'
import { kubeNamespace } from '../servers/kube-server.ts'
import { captured, type CommandResult } from './command-line.ts'

/** A new namespace with the plugin as an administrator calls it. */
export async function openPlugin() {
  const { name: namespace, kube, kubeconfig } = await kubeNamespace()
  /** Relative paths begin here. */
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-plugin-'))
  const env = { KUBECONFIG: kubeconfig, INIT_CWD: folder }

  const plugin = (...args: readonly string[]): Promise<CommandResult> =>
    captured(() => runKubectlCommand([...args, '--namespace', namespace], env))

  function create({ group, version, kind, plural }: Resource, name: string, content: object): Promise<unknown> {
    const apiVersion = group === '' ? version : `${group}/${version}`
    const body = { apiVersion, kind, metadata: { name, namespace }, ...content }
    return kube.requests.request({ method: 'POST', path: objectPath({ group, version, kind, plural }, namespace), body })
  }

  const read = <T>(resource: Resource, name: string): Promise<T> =>
    kube.requests.request<T>({ method: 'GET', path: objectPath(resource, namespace, name) })

  async function patch(resource: Resource, name: string, body: object, subresource?: string): Promise<void> {
    const contentType = 'application/merge-patch+json'
    const url = objectPath(resource, namespace, name, subresource)
    await kube.requests.request({ method: 'PATCH', path: url, contentType, body })
  }

  /** Runs the command with --wait, and writes a status as soon as the object is as `isAsked` wants it. */
  async function answered<T extends Observed>(
    args: readonly string[],
    { resource, name, isAsked, answer }: Answer<T>,
  ): Promise<CommandResult> {
    const command = plugin(...args, '--wait', '--timeout', '20')
    await expect.poll(async () => isAsked(await read<T>(resource, name)), { interval: 100 }).toBe(true)
    const object = await read<T>(resource, name)
    await patch(resource, name, { status: { observedGeneration: object.metadata.generation, ...answer(object) } }, 'status')
    return await command
  }

  return { namespace, kubeconfig, folder, plugin, create, read, patch, answered }
}

interface Observed {
  metadata: { generation?: number }
}

interface Answer<T> {
  resource: Resource
  name: string
  isAsked: (object: T) => boolean
  answer: (object: T) => object
}

export function condition(type: string, status: string, reason: string) {
  return { type, status, reason, message: `${reason} it is.`, lastTransitionTime: '2026-01-01T00:00:00Z' }
}
