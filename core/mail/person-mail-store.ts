// The SQL of mails to people about the panel.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'

export async function insertPersonMail(
  sql: Sql,
  orgId: OrgId,
  mail: { id: string; personId: PersonId; secretBox: Buffer },
): Promise<void> {
  await sql`
    insert into mails (org_id, id, person_id, template, secret_box, state)
    values (${orgId}, ${mail.id}, ${mail.personId}, 'PANEL_SETUP', ${mail.secretBox}, 'WAITING')`
}

/** What has not gone out to a person is not sent any more. */
export async function dropMailsTo(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`
    update mails
    set state = 'DROPPED', secret_box = null
    where org_id = ${orgId} and person_id = ${personId} and state in ('HELD', 'WAITING', 'PARKED')`
}
