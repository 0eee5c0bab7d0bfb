// The SQL of a webhook's secrets.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { BoxedSecret } from './secret.ts'

export interface NewSecret extends BoxedSecret {
  graceSeconds: number
  /** False: it can be revealed once. */
  isShown: boolean
}

/** The current secret becomes the previous one, for the grace period. During a grace it takes the place of the previous one; but a current secret that was
 *  never shown is dropped, because receivers still use the previous one. */
export async function replaceSecret(sql: Sql, orgId: OrgId, id: WebhookId, secret: NewSecret): Promise<void> {
  const { secretBox, lastFour, isGiven, graceSeconds, isShown } = secret
  const dropsCurrent = sql`secret_shown_at is null and previous_secret_expires_at > sealwright_now()`
  await sql`
    update webhooks
    set previous_secret_box = case when ${dropsCurrent} then previous_secret_box else secret_box end,
      previous_secret_is_given = case when ${dropsCurrent} then previous_secret_is_given else secret_is_given end,
      previous_secret_expires_at = sealwright_now() + make_interval(secs => ${graceSeconds}),
      secret_box = ${secretBox}, secret_last_four = ${lastFour}, secret_is_given = ${isGiven}, secret_revision = secret_revision + 1,
      secret_shown_at = case when ${isShown}::boolean then sealwright_now() end
    where org_id = ${orgId} and id = ${id}`
}

export async function deletePreviousSecret(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await sql`
    update webhooks
    set previous_secret_box = null, previous_secret_expires_at = null, previous_secret_is_given = false
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
