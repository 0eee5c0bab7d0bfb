// The programs of a Kubernetes control plane: those of KUBEBUILDER_ASSETS, which other projects use too, or our own build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureTool } from './ensure-tool.ts'

export type KubeTool = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl'

/** The path of the program, built if missing or outdated. Throws as `ensureTool` does. */
export async function kubeTool(name: KubeTool): Promise<string> {
  const assets = process.env['KUBEBUILDER_ASSETS']
  const given = assets && join(assets, name)
  return given && existsSync(given) ? given : ensureTool(name)
}
