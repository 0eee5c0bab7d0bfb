// The values of each component, and of the servers of the evaluation profile.
import { ENVIRONMENT_VARIABLE } from './environment-variable.ts'
import { anyObject, choice, count, flag, list, type Schema, section, secretKey, secretName, text, texts } from './schema.ts'

interface Resources {
  cpu: string
  memory: string
  memoryLimit: string
  cpuLimit?: string
}

interface ComponentDefaults {
  replicas: number
  resources: Resources
}

function resources({ cpu, memory, memoryLimit, cpuLimit }: Resources): Schema {
  return anyObject('Requests and limits. The heap of Node is 60 % of the memory limit, which is required.', {
    requests: { cpu, memory },
    limits: { ...(cpuLimit && { cpu: cpuLimit }), memory: memoryLimit },
  })
}

const memoryIsLimited: Schema = {
  properties: { limits: { type: 'object', required: ['memory'] } },
  required: ['limits'],
}

function component(
  description: string,
  { replicas, resources: needed }: ComponentDefaults,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  return section(description, {
    replicas: count('Pods. Ignored while an autoscaler decides.', replicas),
    ...more,
    database: section(
      'Its user of Postgres, who owns nothing (docs/database-users.sql). Without it, the pods sign in as the owner.',
      {
        existingSecret: secretName('Secret with the URL, instead of `database.existingSecret`.', 'sealwright-database-api'),
        key: secretKey('Key of the URL.', 'url'),
      },
    ),
    resources: { ...resources(needed), ...memoryIsLimited },
    pdb: section('The PodDisruptionBudget, for more than one pod.', {
      enabled: flag('Create the PodDisruptionBudget.', true),
      maxUnavailable: { type: ['integer', 'string'], description: 'Pods that a node drain may take at a time.', default: 1 },
    }),
    topologySpread: list('Topology keys over which the pods are spread as evenly as possible.', { type: 'string' }, [
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]),
    nodeSelector: texts('Labels of the nodes to use.'),
    tolerations: list('Taints of nodes to tolerate.', { type: 'object' }),
    affinity: anyObject('Affinity of the pods.'),
    priorityClassName: text('PriorityClass of the pods.', ''),
    podAnnotations: texts('Annotations of the pods.'),
    podLabels: texts('More labels of the pods.'),
    extraEnv: list('Environment variables of this component alone.', ENVIRONMENT_VARIABLE),
  })
}

export const API = component(
  'The API and the pages.',
  { replicas: 2, resources: { cpu: '250m', memory: '384Mi', memoryLimit: '1Gi' } },
  {
    autoscaling: section('A HorizontalPodAutoscaler by processor time.', {
      enabled: flag('Create the autoscaler.', false),
      min: count('Minimum replicas.', 2, { minimum: 1 }),
      max: count('Maximum replicas.', 10, { minimum: 1 }),
      targetCpuPercent: count('Share of the requested processor time at which pods are added.', 70, { minimum: 1 }),
    }),
  },
)

export const WORKER = component(
  'Seals documents and makes audit reports. Has the signing key. Seals on as many threads as its CPU limit.',
  { replicas: 2, resources: { cpu: '500m', memory: '768Mi', cpuLimit: '2', memoryLimit: '2560Mi' } },
  {
    autoscaling: section(
      'Scales by seconds of work that wait, see docs/scale.md: due jobs times what a job costs, as the workers measured it.',
      {
        mode: choice(
          '`hpa` needs an adapter that serves `sealwright_work_waiting_seconds` as an external metric, `keda` needs KEDA.',
          ['none', 'hpa', 'keda'],
          'none',
        ),
        min: count('Minimum replicas. Not 0: a first signer would wait for the start.', 2, { minimum: 1 }),
        max: count('Maximum replicas.', 10, { minimum: 1 }),
        targetSecondsOfWork: count('Seconds of work for each pod: about the time that the last of the waiting seals takes.', 30, {
          minimum: 1,
        }),
        prometheusUrl: text(
          'The Prometheus that KEDA asks, with `mode: keda`.',
          'http://prometheus-operated.monitoring.svc:9090',
          {
            pattern: '^https?://[^@]+$',
          },
        ),
      },
    ),
  },
)

export const RELAY = component('Publishes the outbox, sends emails and delivers webhooks.', {
  replicas: 2,
  resources: { cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' },
})

export const CONTROLLER = component('Scheduled jobs, and the custom resources: one leader at a time.', {
  replicas: 2,
  resources: { cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' },
})

export const HOOKS = section('The Jobs that migrate and check before an upgrade, and the Pod of `helm test`.', {
  resources: {
    ...resources({ cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' }),
    ...memoryIsLimited,
  },
})
