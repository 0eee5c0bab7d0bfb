// The SQL of a webhook's secrets.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** The current secret becomes the previous one, for the grace period. The new one counts as shown. */
export async function replaceSecret(
  sql: Sql,
  orgId: OrgId,
  id: WebhookId,
  { secretBox, lastFour, graceSeconds }: { secretBox: Buffer; lastFour: string; graceSeconds: number },
): Promise<void> {
  await sql`
    update webhooks
    set previous_secret_box = secret_box, previous_secret_expires_at = sealwright_now() + make_interval(secs => ${graceSeconds}),
      secret_box = ${secretBox}, secret_last_four = ${lastFour}, secret_shown_at = sealwright_now()
    where org_id = ${orgId} and id = ${id}`
}

export async function deletePreviousSecret(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await sql`
    update webhooks
    set previous_secret_box = null, previous_secret_expires_at = null
    where org_id = ${orgId} and id = ${id}`
}

/** Returns a secret that was not shown yet and marks it as shown: of two concurrent calls one gets it. */
export async function takeUnshownSecret(sql: Sql, orgId: OrgId, id: WebhookId): Promise<Buffer | undefined> {
  const [row] = await sql<{ secretBox: Buffer }[]>`
    update webhooks
    set secret_shown_at = sealwright_now()
    where org_id = ${orgId} and id = ${id} and secret_shown_at is null
    returning secret_box`
  return row?.secretBox
}
