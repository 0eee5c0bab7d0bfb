// Rules for every pod that the chart starts: restricted Pod Security and what it does not demand. Each violation is one sentence.
import { z } from 'zod'

const Probe = z.looseObject({}).optional()
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  resources: z.looseObject({
    requests: z.record(z.string(), z.unknown()).default({}),
    limits: z.record(z.string(), z.unknown()).default({}),
  }),
  securityContext: z.looseObject({
    allowPrivilegeEscalation: z.boolean().optional(),
    readOnlyRootFilesystem: z.boolean().optional(),
    capabilities: z.object({ drop: z.array(z.string()).optional(), add: z.array(z.string()).optional() }).default({}),
  }),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
})
const Volume = z.looseObject({
  name: z.string(),
  hostPath: z.unknown().optional(),
  projected: z.object({ sources: z.array(z.looseObject({})).default([]) }).optional(),
})
const PodSpec = z.looseObject({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  enableServiceLinks: z.boolean().optional(),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  restartPolicy: z.string().optional(),
  securityContext: z.looseObject({
    runAsNonRoot: z.boolean().optional(),
    seccompProfile: z.object({ type: z.string() }).optional(),
  }),
  initContainers: z.array(Container).default([]),
  containers: z.array(Container),
  volumes: z.array(Volume).default([]),
})
export type PodSpec = z.output<typeof PodSpec>

export interface ChartPod {
  /** Kind and name of the object that makes the pod. */
  owner: string
  spec: PodSpec
}

const WithPod = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ template: z.looseObject({ spec: z.unknown() }).optional() }),
})
const KINDS = ['Deployment', 'StatefulSet', 'Job', 'Pod']

/** The pods of all rendered objects. */
export function podsOf(objects: readonly { kind: string }[]): ChartPod[] {
  return objects
    .filter(({ kind }) => KINDS.includes(kind))
    .map((object) => {
      const { kind, metadata, spec } = WithPod.parse(object)
      return { owner: `${kind} ${metadata.name}`, spec: PodSpec.parse(spec.template?.spec ?? spec) }
    })
}

/** Names of files with secrets end in _FILE. */
const SECRET = /(PASSWORD|SECRET|TOKEN|_KEY|_KEY_ID|DATABASE_URL|SMTP_URL)$/

/** What breaks a rule; empty for a good pod. `mayUseApi`: whether it may have a token. */
export function violationsOf({ owner, spec }: ChartPod, mayUseApi: boolean): string[] {
  const { securityContext: context, volumes } = spec
  const hasToken = volumes.some(({ projected }) => projected?.sources.some((source) => 'serviceAccountToken' in source))
  const rules: readonly [boolean, string][] = [
    [context.runAsNonRoot === true, 'may run as root'],
    [context.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [spec.hostNetwork !== true && spec.hostPID !== true, 'shares namespaces of the node'],
    [volumes.every(({ hostPath }) => hostPath === undefined), 'mounts a folder of the node'],
    [spec.automountServiceAccountToken === false, 'gets a token by default'],
    [mayUseApi || !hasToken, 'has a token'],
    [spec.enableServiceLinks === false, 'gets variables of Services, which our processes refuse'],
  ]
  const isService = spec.restartPolicy === undefined
  const containers = [...spec.initContainers, ...spec.containers]
  return [
    ...rules.flatMap(([holds, problem]) => (holds ? [] : [`${owner} ${problem}`])),
    ...containers.flatMap((each) =>
      violationsOfContainer(each, isService).map((problem) => `${owner}, ${each.name}: ${problem}`),
    ),
  ]
}

function violationsOfContainer(container: z.output<typeof Container>, isService: boolean): string[] {
  const { securityContext: context, resources, env } = container
  const inline = env.filter(({ name, value }) => value !== undefined && SECRET.test(name))
  const rules: readonly [boolean, string][] = [
    [context.allowPrivilegeEscalation === false, 'may get more privileges'],
    [context.readOnlyRootFilesystem === true, 'may write to its image'],
    [context.capabilities.drop?.includes('ALL') === true && !context.capabilities.add, 'has capabilities'],
    ['memory' in resources.limits, 'has no memory limit'],
    ['memory' in resources.requests && 'cpu' in resources.requests, 'has no requests'],
    [!isService || Boolean(container.startupProbe && container.livenessProbe && container.readinessProbe), 'lacks a probe'],
    [inline.length === 0, `has a secret in ${inline.map(({ name }) => name).join(', ')}`],
    [/[:@]/.test(container.image.split('/').at(-1) ?? '') && !container.image.endsWith(':latest'), 'has no fixed image'],
  ]
  return rules.flatMap(([holds, problem]) => (holds ? [] : [problem]))
}
