// Reads from the API server which versions the custom resources show, page by page.
import { GROUP, VERSION } from '#core/mirror/api-group.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import type { ShownVersion } from './shown-version.ts'

/** Where the custom resources are. */
export interface CustomResources {
  client: KubeClient
  namespace: string
  keysNamespace: string
}

const PAGE = 500
const NAMED_BY_ROW = /^api-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const WEBHOOKS = resource('WebhookSubscription', 'webhooksubscriptions')
const SIGNING_KEYS = resource('SigningKey', 'signingkeys')

interface Shown extends KubeObject {
  status?: { rowVersion?: number; subscriptionId?: string }
}

interface Page {
  items: Shown[]
  metadata: { continue?: string }
}

/** Lists the versions that all webhooks and signing keys show. Throws KubeError. */
export async function* listShownVersions({
  client,
  namespace,
  keysNamespace,
}: CustomResources): AsyncGenerator<readonly ShownVersion[]> {
  yield* pagesOf(client, WEBHOOKS, namespace)
  yield* pagesOf(client, SIGNING_KEYS, keysNamespace)
}

async function* pagesOf(
  client: KubeClient,
  kind: Resource & Pick<ShownVersion, 'kind'>,
  namespace: string,
): AsyncGenerator<readonly ShownVersion[]> {
  let next: string | undefined
  do {
    const query = { limit: PAGE, ...(next && { continue: next }) }
    const page = await client.request<Page>({ method: 'GET', path: objectPath(kind, namespace), query })
    yield page.items.map((item) => toShownVersion(kind.kind, namespace, item))
    next = page.metadata.continue
  } while (next)
}

function toShownVersion(kind: ShownVersion['kind'], namespace: string, { metadata, status }: Shown): ShownVersion {
  return {
    kind,
    namespace,
    name: metadata.name,
    uid: metadata.uid ?? null,
    rowId: NAMED_BY_ROW.exec(metadata.name)?.[1] ?? null,
    rowVersion: status?.rowVersion ?? 0,
    shownId: status?.subscriptionId ?? null,
  }
}

function resource<Kind extends ShownVersion['kind']>(kind: Kind, plural: string): Resource & { kind: Kind } {
  return { group: GROUP, version: VERSION, plural, kind }
}
