// The invitation email: with a link that sets a password, or without one when people sign in through an identity provider.
import type { Core } from '#core/context.ts'
import type { OrgId, PersonId } from '#core/ids.ts'
import { dropInvitations } from '#core/mail/person-mail-store.ts'
import { recordPersonMail } from '#core/mail/record-mail.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { reserveInWindows } from '#core/account/quota/reserve.ts'
import { issueSetupLink, setupUrl } from './issue-setup-link.ts'

/** Queues it within the caller's transaction; an earlier unsent one is dropped. Throws QUOTA_EXCEEDED. */
export async function mailInvitation(
  { keys, settings }: Pick<Core, 'keys' | 'settings'>,
  sql: Sql,
  orgId: OrgId,
  personId: PersonId,
): Promise<void> {
  await dropInvitations(sql, orgId, personId)
  const link = settings.oidcIssuer
    ? `${settings.publicUrl}/settings`
    : setupUrl(settings.publicUrl, await issueSetupLink(sql, orgId, personId))
  await recordPersonMail(sql, keys, orgId, { personId, link })
  reserveInWindows(sql, orgId, settings, { dimension: 'EMAILS_PER_HOUR', count: 1 })
}
