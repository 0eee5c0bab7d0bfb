// Whether a custom resource shows a later version than the database has: then the database was restored to an earlier time.
import type { SystemCore } from '#core/context.ts'
import { type CustomResources, listShownVersions } from './list-shown-versions.ts'
import type { Found } from './problem.ts'
import { type BehindRow, selectSigningKeysBehind, selectWebhooksBehind } from './store.ts'

/** Returns how many were compared. Throws KubeError when they cannot be read. */
export async function checkCustomResources(
  { database }: Pick<SystemCore, 'database'>,
  resources: CustomResources,
  found: Found,
): Promise<number> {
  let count = 0
  for await (const page of listShownVersions(resources)) {
    count += page.length
    const kind = page[0]?.kind
    if (!kind) continue
    const select = kind === 'SigningKey' ? selectSigningKeysBehind : selectWebhooksBehind
    for (const row of await select(database, page))
      found({ kind: 'ROW_BEHIND_OBJECT', subject: `${kind} ${row.namespace}/${row.name}`, message: describe(row) })
  }
  return count
}

function describe({ shown, version }: BehindRow): string {
  return `shows version ${shown}, ${version === null ? 'and the database has no row for it' : `the database has version ${version}`}`
}
