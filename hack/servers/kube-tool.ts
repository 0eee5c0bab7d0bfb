// The programs of a Kubernetes control plane: those of KUBEBUILDER_ASSETS, which other projects use too, or our own build.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureTool } from './ensure-tool.ts'

export type KubeTool = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl'

/** The path of the program, built if missing or outdated. kubectl is also taken from the PATH. Throws as `ensureTool` does. */
export async function kubeTool(name: KubeTool): Promise<string> {
  const { KUBEBUILDER_ASSETS: assets = '', PATH: path = '' } = process.env
  const folders = [assets, ...(name === 'kubectl' ? path.split(delimiter) : [])]
  const found = folders.filter(Boolean).map((folder) => join(folder, name))
  return found.find((file) => existsSync(file)) ?? ensureTool(name)
}
