// Queues an email in the transaction that makes it due. Its secret is encrypted until it is sent.
import { randomUUID } from 'node:crypto'
import type { Core } from '#core/context.ts'
import type { EnvelopeId, OrgId, PersonId, SignerId } from '#core/ids.ts'
import { insertOutbox, type OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import { jobMessage } from '#core/work/job.ts'
import { MAIL_WORK } from './mail-job.ts'
import { insertPersonMail } from './person-mail-store.ts'
import {
  insertMails,
  type NewMail,
  type PersonTemplate,
  releaseHeldMails,
  type SignerTemplate,
  type WebhookTemplate,
} from './store.ts'

export interface MailRequest {
  envelopeId: EnvelopeId
  signerId: SignerId
  template: SignerTemplate
  /** The signing token or code in the text. */
  secret: string
  /** True: waits for `releaseMails`, for a signer whose turn has not come. */
  held: boolean
}

/** Binds the encrypted secret of an email to its row. */
export function mailContext(id: string): string {
  return `mail ${id}`
}

/** Queues emails to signers; returns their ids. */
export async function recordMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  ...requests: readonly MailRequest[]
): Promise<string[]> {
  const mails = requests.map((request) => newMail(keys, request))
  await Promise.all([insertMails(sql, orgId, mails), insertOutbox(sql, orgId, ...dueMessages(orgId, mails))])
  return mails.map(({ id }) => id)
}

/** An email for `insertMails`, its secret encrypted. */
export function newMail(keys: Core['keys'], { secret, held, ...request }: MailRequest): NewMail {
  const id = randomUUID()
  return { ...request, id, secretBox: keys.seal(secret, mailContext(id)), state: held ? 'HELD' : 'WAITING' }
}

/** The notifications of emails that are due, for `insertOutbox`. */
export function dueMessages(orgId: OrgId, mails: readonly NewMail[]): OutboxMessage[] {
  return mails.filter(({ state }) => state === 'WAITING').map(({ id }) => dueMessage(orgId, id))
}

/** The notification of an email that is due, for `insertOutbox`. */
export function dueMessage(orgId: OrgId, mailId: string): OutboxMessage {
  return jobMessage(MAIL_WORK, { orgId, id: mailId })
}

/** Queues the email with a person's set-up link for the panel; the link is its secret. */
export async function recordPersonMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, link }: { personId: PersonId; link: string },
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template: 'PANEL_SETUP', secret: link })
}

/** Queues the notice of a changed password; `address` is empty when the client's address is not known. */
export async function recordPasswordMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, address }: { personId: PersonId; address: string },
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template: 'PASSWORD_CHANGED', secret: address })
}

export type FactorChange = 'SET_UP' | 'REMOVED' | 'RESET' | 'RECOVERY_CODE_USED' | 'RECOVERY_CODES_RENEWED'

/** What an email about a person's second factor says, encrypted until it is sent. */
export interface FactorNotice {
  change: FactorChange
  /** Address of the client; empty when it is not known. */
  address: string
}

/** Queues the notice of a change of a person's second factor. Without a quota, as for a password. */
export async function recordFactorMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  personId: PersonId,
  notice: FactorNotice,
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template: 'FACTOR_CHANGED', secret: JSON.stringify(notice) })
}

/** What an email about a webhook says, encrypted until it is sent. */
export interface WebhookNotice {
  url: string
  /** Why the last attempt failed, as a sentence in each language. */
  lastError?: Readonly<Record<Locale, string>>
}

/** Queues the notice that a webhook was disabled automatically, or enabled again after it. */
export async function recordWebhookMail(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, template, notice }: { personId: PersonId; template: WebhookTemplate; notice: WebhookNotice },
): Promise<void> {
  await recordToPerson(sql, keys, orgId, { personId, template, secret: JSON.stringify(notice) })
}

async function recordToPerson(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { personId, template, secret }: { personId: PersonId; template: PersonTemplate; secret: string },
): Promise<void> {
  const id = randomUUID()
  await insertPersonMail(sql, orgId, { id, personId, template, secretBox: keys.seal(secret, mailContext(id)) })
  await insertOutbox(sql, orgId, dueMessage(orgId, id))
}

/** Queues the signing links that were held for these signers. */
export async function releaseMails(sql: Sql, orgId: OrgId, signerIds: readonly SignerId[]): Promise<void> {
  const released = await releaseHeldMails(sql, orgId, signerIds)
  await insertOutbox(sql, orgId, ...released.map((mailId) => dueMessage(orgId, mailId)))
}
