// Queues a mail in the transaction that makes it due. Its secret is encrypted until it is sent; nothing is sent here.
import { randomUUID } from 'node:crypto'
import type { Core } from '#core/context.ts'
import type { EnvelopeId, OrgId, PersonId, SignerId } from '#core/ids.ts'
import { insertOutbox } from '#core/outbox/store.ts'
import type { Sql } from '#core/postgres/client.ts'
import { insertPersonMail } from './person-mail-store.ts'
import { insertMail, type PersonTemplate, releaseHeldMails, type SignerTemplate } from './store.ts'

export interface MailRequest {
  envelopeId: EnvelopeId
  signerId: SignerId
  template: SignerTemplate
  /** The signing token or the code that the text carries. */
  secret: string
  /** True: kept until `releaseMails`, for a signer whose turn has not come. */
  held: boolean
}

/** What binds a mail's secret to its row. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

/** Queues one mail to a signer. */
export async function recordMail(sql: Sql, keys: Core['keys'], orgId: OrgId, request: MailRequest): Promise<void> {
  const id = randomUUID()
  const { envelopeId, signerId, template, secret, held } = request
  const secretBox = keys.seal(secret, mailContext(id))
  await insertMail(sql, orgId, { id, envelopeId, signerId, template, secretBox, state: held ? 'HELD' : 'WAITING' })
  if (!held) await insertOutbox(sql, orgId, id, 'sealwright.mail.requested', { orgId, mailId: id })
}

/** Queues the mail that brings a person to the panel; the link is its secret. */
export async function recordPersonMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, link }: { personId: PersonId; link: string },
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template: 'PANEL_SETUP', secret: link })
}

/** Queues the mail that tells a person of their new password; where the request came from is empty when that is not known. */
export async function recordPasswordMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, address }: { personId: PersonId; address: string },
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template: 'PASSWORD_CHANGED', secret: address })
}

async function recordToPerson(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, template, secret }: { personId: PersonId; template: PersonTemplate; secret: string },
): Promise<void> {
  const id = randomUUID()
  await insertPersonMail(sql, orgId, { id, personId, template, secretBox: keys.seal(secret, mailContext(id)) })
  await insertOutbox(sql, orgId, id, 'sealwright.mail.requested', { orgId, mailId: id })
}

/** Queues the signing links that were held for these signers. */
export async function releaseMails(sql: Sql, orgId: OrgId, signerIds: readonly SignerId[]): Promise<void> {
  for (const mailId of await releaseHeldMails(sql, orgId, signerIds)) {
    await insertOutbox(sql, orgId, mailId, 'sealwright.mail.requested', { orgId, mailId })
  }
}
