// All that both stores hold about webhooks.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { listMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { secretContext } from '#core/webhook/secret.ts'
import type { WebhookId } from '#core/ids.ts'
import { type Lease, LEASES } from '../../controller/runtime/lease.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import type { SoakWorld } from './soak-world.ts'

export interface Secret extends KubeObject {
  data?: Record<string, string>
}

export interface Row extends MirroredWebhook {
  /** In the clear, as a Secret shows them. */
  secrets: { secret: string; previous?: string }
}

export interface Stores {
  rows: Row[]
  objects: WebhookSubscription[]
  /** Those that we manage. */
  secrets: Secret[]
  /** Changes that Kubernetes has not been shown. */
  waiting: number
  statusMap: Readonly<Record<string, string>>
  /** The identity of the controller that leads. */
  leader: string | undefined
}

interface Boxes {
  id: WebhookId
  secretBox: Buffer
  previousSecretBox: Buffer | null
}

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const MOST = 10_000

/** Reads both, one after the other: while something changes they differ. */
export async function readStores(world: SoakWorld): Promise<Stores> {
  const { system, kube, namespace } = world
  const list = async <T>(resource: Resource, labelSelector?: string) =>
    (
      await kube.requests.request<{ items: T[] }>({
        method: 'GET',
        path: objectPath(resource, namespace),
        ...(labelSelector !== undefined && { query: { labelSelector } }),
      })
    ).items
  const rows = await listMirrored(system, { limit: MOST })
  const secrets = await readSecrets(world)
  const [row] = await system.database<{ waiting: number }[]>`select count(*)::int as waiting from mirror_changes`
  const maps = await list<Secret>(CONFIG_MAPS)
  const leases = await list<Lease>(LEASES)
  return {
    rows: rows.flatMap((each) => {
      const own = secrets.get(each.id)
      return own ? [{ ...each, secrets: own }] : []
    }),
    objects: await list<WebhookSubscription>(WEBHOOK_SUBSCRIPTIONS),
    secrets: await list<Secret>(SECRETS, 'app.kubernetes.io/managed-by=sealwright'),
    waiting: row?.waiting ?? 0,
    leader: leases.find(({ metadata }) => metadata.name === 'sealwright-controller')?.spec.holderIdentity,
    statusMap: maps.find(({ metadata }) => metadata.name === 'sealwright-status')?.data ?? {},
  }
}

async function readSecrets({ system: { database, keys } }: SoakWorld): Promise<Map<WebhookId, Row['secrets']>> {
  const boxes = await database<Boxes[]>`
    select id, secret_box, case when previous_secret_expires_at > sealwright_now() then previous_secret_box end as previous_secret_box
    from webhooks`
  return new Map(
    boxes.map(({ id, secretBox, previousSecretBox }) => [
      id,
      {
        secret: keys.open(secretBox, secretContext(id)),
        ...(previousSecretBox && { previous: keys.open(previousSecretBox, secretContext(id)) }),
      },
    ]),
  )
}
