// Renders the chart with Helm, without a cluster.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { loadAll } from 'js-yaml'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { ensureTool } from '../servers/ensure-tool.ts'

const CHARTS = path.join(import.meta.dirname, '../../charts')
export const CHART_FOLDER = path.join(CHARTS, 'sealwright')
/** The definitions alone. */
export const CRDS_CHART_FOLDER = path.join(CHARTS, 'sealwright-crds')
const ROOT = path.join(import.meta.dirname, '../..')
const MOST_BYTES = 16 * 1024 * 1024

const run = promisify(execFile)

export interface RenderOptions {
  /** More arguments of `helm template`. */
  args?: readonly string[]
  release?: string
  namespace?: string
  chart?: string
}

/** The rendered YAML, hooks included. Throws Helm's message for values that the chart refuses. */
export async function renderChart(options: RenderOptions): Promise<string> {
  const { args = [], release = 'sealwright', namespace = 'sealwright', chart = CHART_FOLDER } = options
  return helm(['template', release, chart, '--namespace', namespace, ...args])
}

let program: Promise<string> | undefined

/** What Helm prints. Throws what it says about a failure. */
export async function helm(args: readonly string[]): Promise<string> {
  // Go takes a second to see that nothing changed.
  const file = await (program ??= ensureTool('helm'))
  try {
    const { stdout } = await run(file, args, { cwd: ROOT, maxBuffer: MOST_BYTES })
    return stdout
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause)
    throw new Error(output.trim(), { cause })
  }
}

/** The objects of a render. */
export function objectsIn(yaml: string): KubeObject[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server validates them
  return loadAll(yaml).filter(Boolean) as KubeObject[]
}
