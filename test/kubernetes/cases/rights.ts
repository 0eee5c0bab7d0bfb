// What each identity may do, and nothing else: `verbs resource`, by namespace. `NAME` behind a resource: only the object of that name;
// `OWN` is that of the namespace.

export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const

/** All that anybody could want here: `resource.group`, with a name where a Role has one. */
export const RESOURCES = [
  'webhooksubscriptions.sealwright.io',
  'webhooksubscriptions/status.sealwright.io',
  'webhooksubscriptions/finalizers.sealwright.io',
  'signingkeys.sealwright.io',
  'signingkeys/status.sealwright.io',
  'signingkeys/finalizers.sealwright.io',
  'secrets',
  'configmaps',
  'configmaps NAME sealwright-status',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'leases.coordination.k8s.io NAME sealwright-controller',
  'certificates.cert-manager.io',
  'pods',
  'pods/exec',
  'pods/log',
  'deployments.apps',
  'deployments.apps NAME sealwright-controller',
  'namespaces NAME OWN',
  'serviceaccounts',
  'serviceaccounts/token',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
] as const

export interface Rights {
  /** In the namespace of the installation. */
  release: readonly string[]
  /** In the namespace of the keys. */
  keys: readonly string[]
}

const NONE: Rights = { release: [], keys: [] }

const VIEW = [
  'get,list,watch webhooksubscriptions.sealwright.io',
  'get,list,watch signingkeys.sealwright.io',
  'get configmaps NAME sealwright-status',
  'get,list,watch events',
  'get,list,watch events.events.k8s.io',
  'get leases.coordination.k8s.io NAME sealwright-controller',
]

export const SERVICE_ACCOUNTS: Readonly<Record<string, Rights>> = {
  'sealwright-api': NONE,
  'sealwright-worker': { release: ['get secrets'], keys: ['get secrets'] },
  'sealwright-controller': {
    release: [
      'get,list,watch,create,patch,delete webhooksubscriptions.sealwright.io',
      'patch webhooksubscriptions/status.sealwright.io',
      'update webhooksubscriptions/finalizers.sealwright.io',
      'create,delete secrets',
      'create configmaps',
      'get,create,patch configmaps NAME sealwright-status',
      'create events.events.k8s.io',
      'create leases.coordination.k8s.io',
      'get namespaces NAME OWN',
      'get deployments.apps NAME sealwright-controller',
      'get,create,update leases.coordination.k8s.io NAME sealwright-controller',
    ],
    keys: [
      'get,list,watch,create,patch,delete signingkeys.sealwright.io',
      'patch signingkeys/status.sealwright.io',
      'update signingkeys/finalizers.sealwright.io',
      'create,delete secrets',
      'create events.events.k8s.io',
      'get,create,delete certificates.cert-manager.io',
    ],
  },
}

/** Of people: by the Role that is bound to them. */
export const ROLES: Readonly<Record<string, Rights>> = {
  'sealwright-view': { release: VIEW, keys: [] },
  'sealwright-edit': {
    release: ['get,list,watch,create,update,patch,delete webhooksubscriptions.sealwright.io', ...VIEW.slice(1)],
    keys: [],
  },
  'sealwright-admin': {
    release: [
      'get,list,watch,create,update,patch,delete webhooksubscriptions.sealwright.io',
      'get,list,watch,create,update,patch,delete signingkeys.sealwright.io',
      'get,patch configmaps NAME sealwright-status',
      ...VIEW.slice(3),
    ],
    keys: [],
  },
}
