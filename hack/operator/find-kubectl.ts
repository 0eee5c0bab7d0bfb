// The kubectl that the start names in dev.json: the user's own if there is one, because building ours takes a while.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { kubeTool } from '../servers/kube-tool.ts'

/** Finds kubectl in KUBEBUILDER_ASSETS, else in the PATH, else builds it. Throws as `kubeTool` does. */
export async function findKubectl(): Promise<string> {
  const { KUBEBUILDER_ASSETS: assets, PATH: path = '' } = process.env
  if (assets) return kubeTool('kubectl')
  const own = path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'kubectl'))
  return own.find((file) => existsSync(file)) ?? kubeTool('kubectl')
}
