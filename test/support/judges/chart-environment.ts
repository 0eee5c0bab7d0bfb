// The variables of a rendered Deployment.
import { objectsIn } from '../../../hack/chart/render.ts'
import { podsOf } from './chart-policy.ts'

/** By name; empty for those that come from a Secret. */
export function environmentOf(yaml: string, deployment: string): Readonly<Record<string, string>> {
  const pod = podsOf(objectsIn(yaml)).find(({ owner }) => owner === `Deployment ${deployment}`)
  if (!pod) throw new Error(`There is no Deployment ${deployment}.`)
  return Object.fromEntries(pod.spec.containers.flatMap(({ env }) => env).map(({ name, value = '' }) => [name, value]))
}
