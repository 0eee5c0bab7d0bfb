// The programs of a Kubernetes control plane: those of KUBEBUILDER_ASSETS, which other projects use too, or our own build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureTool, toolPath } from './ensure-tool.ts'

export type KubeTool = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl'

/** The path of the program, built if missing or outdated. Throws as `ensureTool` does; `isUrgent`: see there. */
export async function kubeTool(name: KubeTool, { isUrgent = true } = {}): Promise<string> {
  return given(name) ?? ensureTool(name, { isUrgent })
}

/** Where `kubeTool` finds the program, or will have built it. */
export function kubeToolPath(name: KubeTool): string {
  return given(name) ?? toolPath(name)
}

function given(name: KubeTool): string | undefined {
  const assets = process.env['KUBEBUILDER_ASSETS']
  const path = assets && join(assets, name)
  return path && existsSync(path) ? path : undefined
}
