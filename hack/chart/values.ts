// All values of the chart: the only source of values.schema.json, values.yaml and the table in the chart's README.
import { API, CONTROLLER, HOOKS, RELAY, WORKER } from './component-values.ts'
import { ENVIRONMENT_VARIABLE } from './environment-variable.ts'
import { digest, EVALUATION } from './evaluation-values.ts'
import { anyObject, choice, count, flag, list, type Schema, section, secretKey, secretName, text, texts } from './schema.ts'
import { settingsSchema } from './settings-values.ts'

const URL_PATTERN = '^https?://[^/@?#]+/?$'
const CIDR = { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' } as const

const DESTINATION_PORTS = { type: 'integer', minimum: 1, maximum: 65_535 } as const

/** `ports`: the default, and what they are. */
function destination(
  what: string,
  ports: { default?: readonly number[]; are?: string } = {},
  peers: readonly object[] = [],
): Schema {
  return section(`Where ${what} may be. Without networks and peers: any address.`, {
    cidrs: list('Networks.', CIDR),
    peers: list('Pods, as in a NetworkPolicy.', { type: 'object' }, peers),
    ports: list(ports.are ?? 'Ports of the pods or servers, not of a Service.', DESTINATION_PORTS, ports.default),
  })
}

const KUBE_DNS = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
  podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
}

const IMAGE = section('The image of all components.', {
  repository: text('Name with registry.', 'docker.io/sealwright/sealwright'),
  tag: text('Informational when digest is set. By default the version of the chart.', ''),
  digest: digest(),
  pullPolicy: choice('When nodes pull it.', ['IfNotPresent', 'Always', 'Never'], 'IfNotPresent'),
})

const CONNECTIONS: Readonly<Record<string, Schema>> = {
  publicUrl: text('The address under which signers reach the service. Required, except for an evaluation.', undefined, {
    pattern: URL_PATTERN,
    examples: ['https://sign.example.com'],
  }),
  settings: settingsSchema(),
  extraEnv: list('Environment variables of all components, such as NODE_EXTRA_CA_CERTS or OTEL_*.', ENVIRONMENT_VARIABLE),
  database: section('Postgres 15 or later. Required, except for an evaluation.', {
    existingSecret: secretName(
      'Secret with the URL of the owner, such as postgres://user:password@host:5432/database: for migrations, and for components without a Secret of their own.',
      'sealwright-database',
    ),
    key: secretKey('Key of the URL.', 'url'),
  }),
  nats: section('NATS with JetStream. Required, except for an evaluation.', {
    url: text(
      'tls:// URLs without user and password, separated by commas; nats:// only with settings.requireTls false.',
      undefined,
      {
        pattern: '^(nats|tls)://[^@]+$',
        examples: ['tls://nats.messaging.svc:4222'],
      },
    ),
    existingSecret: secretName('Secret with a credentials file, if the server requires one.', 'sealwright-nats'),
    key: secretKey('Key of the credentials file.', 'nats.creds'),
  }),
  objectStore: section('S3. Required, except for an evaluation.', {
    endpoint: text('URL of the store, as pods reach it.', undefined, {
      pattern: '^https?://[^@]+$',
      examples: ['https://s3.eu-central-1.amazonaws.com'],
    }),
    publicEndpoint: text('URL of the store, as browsers reach it, if that is another one.', undefined, {
      pattern: '^https?://[^@]+$',
    }),
    region: text('Region.', 'us-east-1'),
    bucket: text('Bucket. It must exist.', undefined, { minLength: 1, examples: ['sealwright'] }),
    existingSecret: secretName('Secret with the keys `accessKeyId` and `secretAccessKey`.', 'sealwright-bucket'),
    forcePathStyle: flag('Whether the bucket is in the path instead of the host name.', false),
  }),
  smtp: section('The mail server. Without one, pods do not start unless `settings.mailKeep` is true.', {
    existingSecret: secretName('Secret with the URL, such as smtps://user:password@host.', 'sealwright-smtp'),
    key: secretKey('Key of the URL.', 'url'),
    from: text('Sender of emails.', undefined, { examples: ['Sealwright <sign@example.com>'] }),
  }),
  installationKey: section('The key that encrypts secrets in the database. Back it up.', {
    existingSecret: secretName(
      'Secret with the key. By default the first installation creates one, which is kept.',
      'sealwright-installation-key',
    ),
    key: secretKey('Key in the Secret.', 'installation-key'),
    previousKey: text('Key in the Secret of the installation key that is being replaced, only meanwhile.', undefined, {
      pattern: '^[-._a-zA-Z0-9]*$',
      examples: ['previous-installation-key'],
    }),
  }),
  signingKey: section('The key that seals, as a PKCS#12 file. Without one, the service makes a self-signed key.', {
    existingSecret: secretName('Secret with the file.', 'sealwright-signing-key'),
    key: secretKey('Key of the file.', 'tls.p12'),
    passwordKey: secretKey('Key of its password.', 'password'),
  }),
  oidc: section('Sign-in to the panel with an identity provider.', {
    issuer: text('Issuer, an https URL.', undefined, { pattern: '^https://' }),
    clientId: text('Client ID.'),
    existingSecret: secretName('Secret with the client secret.', 'sealwright-oidc'),
    key: secretKey('Key of the client secret.', 'client-secret'),
  }),
  tokenIssuers: list('Issuers whose access tokens the API accepts.', {
    type: 'object',
    required: ['issuer', 'audience', 'orgClaim', 'rolesClaim'],
    properties: Object.fromEntries(
      ['issuer', 'audience', 'jwksUri', 'orgClaim', 'rolesClaim'].map((name) => [name, { type: 'string' }]),
    ),
    additionalProperties: false,
  }),
}

const EXPOSURE: Readonly<Record<string, Schema>> = {
  ingress: section('An Ingress for the API.', {
    enabled: flag('Create the Ingress.', false),
    className: text('IngressClass.', ''),
    host: text('Host name. By default that of publicUrl.', ''),
    annotations: texts('Annotations, such as the limit of the body size.'),
    tlsSecret: text('Secret with the certificate. With `certManager.issuerRef` cert-manager makes it.', ''),
  }),
  gateway: section('An HTTPRoute for the API.', {
    enabled: flag('Create the HTTPRoute.', false),
    parentRefs: list('Gateways.', { type: 'object', required: ['name'] }),
    hostnames: list('Host names. By default that of publicUrl.', { type: 'string' }),
  }),
  networkPolicy: section('NetworkPolicies: the destinations that each component needs. NOTES name those that are any address.', {
    enabled: flag('Create the NetworkPolicies.', true),
    apiServerCidrs: list('Networks of the API server of Kubernetes; empty: any address, on ports 443 and 6443.', CIDR),
    cilium: flag('Whether Cilium allows the API server by name, instead of apiServerCidrs.', false),
    deniedEgressCidrs: list('Networks that webhooks may not reach, besides private ones.', CIDR),
    apiFrom: list('Peers that may reach the API, as in a NetworkPolicy; empty: any address, so every pod of the cluster.', {
      type: 'object',
    }),
    metricsFrom: list('Peers that may read metrics, as in a NetworkPolicy; empty: any address.', { type: 'object' }, [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]),
    dns: destination('the resolver', { default: [53] }, [KUBE_DNS]),
    database: destination('Postgres', { default: [5432] }),
    nats: destination('NATS', { are: 'Ports besides those of `nats.url`.' }),
    objectStore: destination('the object store', { are: 'Ports besides that of `objectStore.endpoint`.' }),
    smtp: destination('the mail server', { default: [25, 465, 587] }),
    identityProvider: destination('the identity provider', { default: [443] }),
  }),
}

const CLUSTER: Readonly<Record<string, Schema>> = {
  crds: section('The custom resource definitions.', {
    enabled: flag(
      'Whether this release installs and upgrades them. A release of another namespace that has them keeps them.',
      true,
    ),
    keep: flag('Whether they, and with them all objects, stay after an uninstall.', true),
  }),
  userRoles: section('Roles `view`, `edit` and `admin` for people.', {
    enabled: flag('Create the Roles, in the namespace.', false),
    aggregate: flag("Whether Kubernetes' own ClusterRoles view, edit and admin get the same rights on custom resources.", false),
  }),
  admissionPolicy: section('Policies that keep people from changing what Postgres decides.', {
    enabled: flag('Create the policies.', true),
  }),
  certManager: section('cert-manager issues signing keys, and the certificate of the Ingress.', {
    enabled: flag('Whether the controller may create Certificates.', false),
    issuerRef: section('The issuer of the certificate of the Ingress.', {
      name: text('Name; empty: no certificate.', ''),
      kind: choice('Kind.', ['Issuer', 'ClusterIssuer'], 'ClusterIssuer'),
      group: text('API group.', 'cert-manager.io'),
    }),
  }),
  metrics: section('What an existing Prometheus and Grafana need.', {
    serviceMonitor: section('A ServiceMonitor.', {
      enabled: flag('Create the ServiceMonitor.', false),
      interval: text('Time between scrapes.', '30s', { pattern: '^[0-9]+(s|m)$' }),
      labels: texts('Labels by which the Prometheus selects it.'),
    }),
    prometheusRule: section('A PrometheusRule with the alerts of docs/runbooks/.', {
      enabled: flag('Create the PrometheusRule.', false),
      labels: texts('Labels by which the Prometheus selects it.'),
      runbookUrl: text(
        'Address of the folder docs/runbooks, to whose pages alerts link.',
        'https://sealwright.io/docs/runbooks',
        {
          pattern: '^https?://',
        },
      ),
    }),
    dashboard: section('A dashboard for Grafana, as a ConfigMap.', {
      enabled: flag('Create the ConfigMap.', false),
      labels: { ...texts('Labels by which Grafana finds it.'), default: { grafana_dashboard: '1' } },
    }),
  }),
}

const PODS: Readonly<Record<string, Schema>> = {
  podSecurityContext: section('User of all pods. On OpenShift set all three to null.', {
    runAsUser: count('User.', 65_532, { minimum: 1 }),
    runAsGroup: count('Group.', 65_532),
    fsGroup: count('Group of the volumes.', 65_532),
  }),
  hostUsers: { type: 'boolean', description: 'False: pods have user namespaces, where nodes support them.' },
  extraVolumes: list('Volumes of all components, such as a ConfigMap with an authority.', { type: 'object', required: ['name'] }),
  extraVolumeMounts: list('Where they are mounted.', { type: 'object', required: ['name', 'mountPath'] }),
  extraObjects: list('Objects of your own that are installed with the release.', { type: 'object' }),
  commonLabels: texts('Labels of all objects.'),
  serviceAccountAnnotations: section('Annotations of the ServiceAccounts, such as a role of the cloud.', {
    api: texts('Of the API.'),
    worker: texts('Of the worker.'),
    relay: texts('Of the relay.'),
    controller: texts('Of the controller.'),
  }),
}

/** What is only optional in the evaluation profile. */
const OUTSIDE_EVALUATION: Schema = {
  if: {
    required: ['evaluation'],
    properties: { evaluation: { required: ['enabled'], properties: { enabled: { const: true } } } },
  },
  else: {
    required: ['publicUrl', 'database', 'nats', 'objectStore'],
    properties: {
      publicUrl: { minLength: 1 },
      database: { required: ['existingSecret'], properties: { existingSecret: { minLength: 1 } } },
      nats: { required: ['url'] },
      objectStore: {
        required: ['endpoint', 'bucket', 'existingSecret'],
        properties: { existingSecret: { minLength: 1 } },
      },
    },
  },
}

export const VALUES: Schema = section(
  'Values of the Sealwright chart.',
  {
    image: IMAGE,
    imageRegistry: text('Registry that replaces that of every image, in a closed network.', '', {
      examples: ['registry.example.com/mirror'],
    }),
    imagePullSecrets: list('Secrets for the registry: `[{name: ...}]`.', { type: 'object', required: ['name'] }),
    ...CONNECTIONS,
    api: API,
    worker: WORKER,
    relay: RELAY,
    controller: CONTROLLER,
    hooks: HOOKS,
    ...EXPOSURE,
    ...CLUSTER,
    ...PODS,
    evaluation: EVALUATION,
    global: anyObject('Values of a parent chart; not used.'),
  },
  OUTSIDE_EVALUATION,
)
