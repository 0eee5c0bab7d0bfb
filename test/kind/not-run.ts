// What the tests on kind do not show, and why: printed at the end of each run.

/** What is not tried, and the reason. */
export const NOT_RUN: readonly (readonly [string, string])[] = [
  [
    'the public images of Postgres, NATS, an S3 store and a mail server',
    'there is no registry: images with the same arguments are built here, and emails are kept in the pod',
  ],
  ['autoscaling of the API', 'the cluster has no metrics-server, so an HPA by processor time never acts'],
  ['KEDA, cert-manager, the Prometheus operator, the Gateway API, Argo CD and Flux', 'their images are not here'],
  ['an Ingress controller and a load balancer', 'their images are not here: clients use a NodePort'],
  [
    'a node drain that moves pods to another node',
    'the cluster has one node: the pods are evicted one by one, within their budgets',
  ],
  ['network plug-ins other than netd', 'their images are not here: the NetworkPolicies are enforced by hack/kind'],
  ['the oldest and the newest Kubernetes that we support', 'one node image is built, of the version in hack/kind'],
]

/** The lines for people. */
export function describeNotRun(): string {
  return ['Not run here:', ...NOT_RUN.map(([what, why]) => `  - ${what}: ${why}`)].join('\n')
}
