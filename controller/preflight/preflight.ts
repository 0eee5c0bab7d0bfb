// The check before an upgrade: fails it while nothing has changed yet.
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { namespaceOf, openKube } from '#core/platform/kubernetes/open-kube.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { SIGNING_KEY_KIND } from '../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTION_KIND } from '../webhook-subscription/resource.ts'
import { checkDatabase } from './check-database.ts'
import { checkDefinitions } from './check-definitions.ts'
import { checkObjects } from './check-objects.ts'

/** Minor version of the oldest Kubernetes that has custom resources with selectable fields. */
const OLDEST_MINOR = 31

/** Lines that say what the upgrade will do. Throws an Error with one line for each reason against it. */
export async function preflight(settings: Settings): Promise<string[]> {
  await using kube = await openKube(settings)
  const namespace = namespaceOf(settings)
  const keysNamespace = settings.kubeKeysNamespace ?? namespace
  const { databaseUrl } = settings
  if (!databaseUrl) throw new Error('SEALWRIGHT_DATABASE_URL is not set; this command requires it.')
  const problems: string[] = []
  const pending = await checkDatabase(databaseUrl.reveal()).catch((error: Error) => void problems.push(error.message))
  problems.push(...(await checkServer(kube.requests)))
  problems.push(...(await checkDefinitions(kube.requests, [WEBHOOK_SUBSCRIPTION_KIND, SIGNING_KEY_KIND])))
  problems.push(...(await checkObjects(kube.requests, WEBHOOK_SUBSCRIPTION_KIND, namespace)))
  problems.push(...(await checkObjects(kube.requests, SIGNING_KEY_KIND, keysNamespace)))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return [pending?.length ? `migrations to apply: ${pending.join(', ')}` : 'no migrations to apply', 'the upgrade can begin']
}

async function checkServer(client: KubeClient): Promise<string[]> {
  const { major, minor } = await client.request<{ major: string; minor: string }>({ method: 'GET', path: '/version' })
  const isOld = major === '1' && Number.parseInt(minor, 10) < OLDEST_MINOR
  return isOld ? [`Kubernetes ${major}.${minor} is too old: this version needs 1.${OLDEST_MINOR} or later.`] : []
}
