// The SQL of emails to people about the panel.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { PersonTemplate } from './store.ts'

export async function insertPersonMail(
  sql: Sql,
  orgId: OrgId,
  mail: { id: string; personId: PersonId; template: PersonTemplate; secretBox: Buffer },
): Promise<void> {
  await sql`
    insert into mails (org_id, id, person_id, template, secret_box, state)
    values (${orgId}, ${mail.id}, ${mail.personId}, ${mail.template}, ${mail.secretBox}, 'WAITING')`
}

/** Drops an unsent invitation. */
export async function dropInvitations(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`
    update mails
    set state = 'DROPPED', secret_box = null
    where org_id = ${orgId} and person_id = ${personId} and template = 'PANEL_SETUP' and state in ('HELD', 'WAITING', 'DEAD')`
}
