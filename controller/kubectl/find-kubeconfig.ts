// Which kubeconfig, context and namespace a command uses: as kubectl does, from --kubeconfig, KUBECONFIG or ~/.kube/config.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from '#core/platform/config/settings.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import { CommandError } from './command-error.ts'

export interface ChosenKubeconfig {
  file: string
  context: string
  namespace: string | undefined
}

const Contexts = z.object({
  'current-context': z.string().optional(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ namespace: z.string().optional() }) })).nullish(),
})

/**
 * The file that has the wanted context; undefined if there is no file at all, as in a pod. KUBECONFIG may list several files: the first that names a current
 * context decides it. Throws CommandError if no file has the context.
 */
export function findKubeconfig(
  wanted: { kubeconfig?: string; context?: string },
  env: Environment,
  folder: string,
): ChosenKubeconfig | undefined {
  const files = wanted.kubeconfig === undefined ? filesOf(env) : [wanted.kubeconfig]
  const read = files
    .map((file) => path.resolve(folder, file))
    .flatMap((file) => readContexts(file, wanted.kubeconfig !== undefined))
  if (read.length === 0) return undefined
  const context = wanted.context ?? read.map((each) => each['current-context']).find(Boolean)
  if (!context) throw new CommandError(`${listed(read)} names no current context: use --context.`)
  for (const { file, contexts } of read) {
    const entry = contexts?.find(({ name }) => name === context)
    if (entry) return { file, context, namespace: entry.context.namespace }
  }
  throw new CommandError(`${listed(read)} has no context ${context}.`)
}

function filesOf(env: Environment): string[] {
  const files = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter(Boolean)
  return files.length > 0 ? files : [path.join(env['HOME'] ?? homedir(), '.kube', 'config')]
}

function readContexts(file: string, mustExist: boolean): (z.output<typeof Contexts> & { file: string })[] {
  if (!mustExist && !existsSync(file)) return []
  const parsed = Contexts.safeParse(parseYaml(file))
  if (!parsed.success) throw new CommandError(`${file} is not a kubeconfig.`)
  return [{ file, ...parsed.data }]
}

/** The parser's own message quotes the text, which may be a token. */
function parseYaml(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
  try {
    return parse(text)
  } catch {
    throw new CommandError(`${file} is not YAML.`)
  }
}

function listed(read: readonly { file: string }[]): string {
  return read.map(({ file }) => file).join(', ')
}
