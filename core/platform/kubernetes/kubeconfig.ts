// Reads a kubeconfig file. Not with KubeConfig of @kubernetes/client-node: that loads 85 MB of generated code, and ignores `tokenFile`.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { load, YAMLException } from 'js-yaml'
import { z } from 'zod'
import { StartupError } from '../errors/startup-error.ts'
import type { ClusterAccess, Source } from './cluster-access.ts'

const cluster = z.object({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.base64().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
})
const user = z.object({
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.base64().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.base64().optional(),
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  exec: z
    .object({
      command: z.string().min(1),
      args: z.array(z.string()).nullish(),
      env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    })
    .loose()
    .optional(),
})
// What would change who signs in, or the way there: ignoring it would sign in as another user. Kubernetes 1.19 removed passwords; tools left the field empty.
const refused = {
  username: z.literal('').optional(),
  'auth-provider': z.undefined().optional(),
  as: z.undefined().optional(),
  'as-groups': z.undefined().optional(),
}
const config = z.object({
  'current-context': z.string().optional(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string().optional() }) })),
  clusters: z.array(z.object({ name: z.string(), cluster: cluster.extend({ 'proxy-url': z.undefined().optional() }) })),
  users: z.array(z.object({ name: z.string(), user: user.extend(refused) })).nullish(),
})

type Config = z.output<typeof config>
type Cluster = z.output<typeof cluster>
type UserEntry = z.output<typeof user>

/** The access that a context of the file names, its current one if none is given. Throws StartupError, which quotes nothing of the file but names. */
export function readKubeconfig(file: string, wanted?: string): ClusterAccess {
  const parsed = parse(file, readText(file))
  const context = contextOf(file, parsed, wanted ?? parsed['current-context'])
  const named = parsed.clusters.find(({ name }) => name === context.cluster)?.cluster
  if (!named) throw unusable(file, `it has no cluster ${context.cluster}`)
  const owner = context.user === undefined ? {} : parsed.users?.find(({ name }) => name === context.user)?.user
  if (!owner) throw unusable(file, `it has no user ${context.user}`)
  return { ...clusterOf(named, dirname(file)), ...userOf(owner, dirname(file), context.user ?? '') }
}

function contextOf(file: string, { contexts }: Config, wanted: string | undefined) {
  if (!wanted) throw unusable(file, 'it has no current-context')
  const found = contexts.find(({ name }) => name === wanted)
  if (!found) throw unusable(file, `it has no context ${wanted}`)
  return found.context
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error))
  }
}

/** The parsers' own messages quote the text, which may be a token or a key. */
function parse(file: string, text: string): Config {
  let tree: unknown
  try {
    tree = load(text)
  } catch (error) {
    throw unusable(file, error instanceof YAMLException ? `it is not YAML (${error.reason})` : 'it is not YAML')
  }
  const parsed = config.safeParse(tree)
  if (parsed.success) return parsed.data
  const paths = parsed.error.issues.map(({ path }) => path.join('.') || 'the file')
  throw unusable(file, `missing, invalid or not supported: ${[...new Set(paths)].join(', ')}`)
}

function clusterOf(entry: Cluster, folder: string): ClusterAccess {
  const authority = sourceOf(folder, entry['certificate-authority'], entry['certificate-authority-data'])
  return {
    server: entry.server.replace(/(?<!\/)\/+$/, ''),
    ...(authority && { authority }),
    ...(entry['insecure-skip-tls-verify'] && { skipVerify: true }),
    ...(entry['tls-server-name'] !== undefined && { serverName: entry['tls-server-name'] }),
  }
}

function userOf(entry: UserEntry, folder: string, name: string): Partial<ClusterAccess> {
  const certificate = sourceOf(folder, entry['client-certificate'], entry['client-certificate-data'])
  const key = sourceOf(folder, entry['client-key'], entry['client-key-data'])
  // As in client-go, the file wins over the token that a tool may have left beside it.
  const token = entry.tokenFile ? { file: resolve(folder, entry.tokenFile) } : entry.token && { text: entry.token }
  const { exec } = entry
  return {
    ...(certificate && { certificate }),
    ...(key && { key }),
    ...(token && { token }),
    ...(exec && { exec: { name, exec: { ...exec, args: exec.args ?? [] } } }),
  }
}

/** Inline data wins over a file, as in client-go. */
function sourceOf(folder: string, file: string | undefined, data: string | undefined): Source | undefined {
  if (data) return { text: Buffer.from(data, 'base64').toString('utf8') }
  return file ? { file: resolve(folder, file) } : undefined
}

function unusable(file: string, why: string): StartupError {
  return new StartupError('KUBERNETES_CONFIG', `SEALWRIGHT_KUBECONFIG=${file} cannot be used: ${why}.`)
}
