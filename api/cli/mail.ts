// `sealwright mail status | retry`
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import { EnvelopeId } from '#core/ids.ts'
import { listUnsent, type UnsentMail } from '#core/mail/list-unsent.ts'
import { retryMails } from '#core/mail/retry-mails.ts'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { withDatabase } from './connect.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

const MailId = z.guid({ error: 'not the id of a mail' })

interface RetryOptions {
  envelope?: EnvelopeId
  id?: string
  all?: true
  json?: boolean
}

export function addMail(program: Command): void {
  const mail = program.command('mail').description('mails to signers and to people of the panel')
  mail
    .command('status')
    .description('which mails have not gone out, and why')
    .option('--stuck', 'only what is not tried again by itself')
    .option('--json', 'print one JSON value')
    .action(status)
  mail
    .command('retry')
    .description('send failed mails now, with their failures counted anew')
    .addOption(new Option('--envelope <id>', 'those of one envelope').argParser(parsed(EnvelopeId)).conflicts(['id', 'all']))
    .addOption(new Option('--id <id>', 'one of them, by its own id').argParser(parsed(MailId)).conflicts('all'))
    .option('--all', 'every one of the installation')
    .option('--json', 'print one JSON value')
    .action(retry)
}

async function status({ stuck, json }: { stuck?: boolean; json?: boolean }): Promise<void> {
  const unsent = await withDatabase((core) => listUnsent(core, { stuck: stuck ?? false }))
  const rows = unsent.map((mail) => ({ ...mail, wantedAt: mail.wantedAt.toISOString(), dueAt: mail.dueAt.toISOString() }))
  print(json, rows, unsent.length > 0 ? unsent.map(describe) : [stuck ? 'nothing is stuck' : 'every mail has gone out'])
}

function describe({ id, envelopeId, template, state, attempts, wantedAt, dueAt, lastError }: UnsentMail): string {
  const about = envelopeId ? `envelope ${envelopeId}` : 'the panel'
  const next = state === 'stuck' ? 'retry it with: sealwright mail retry --id' : `next try ${dueAt.toISOString()}`
  const past = `since ${wantedAt.toISOString()}  attempts ${attempts}`
  return `${id}  ${template} about ${about}: ${state}  ${past}  ${next}${lastError ? `  (${lastError})` : ''}`
}

async function retry({ envelope, id, all, json }: RetryOptions, command: Command): Promise<void> {
  const choice = envelope ? { envelopeId: envelope } : id ? { mailId: id } : all && 'all'
  if (!choice) return command.error('error: one of --envelope, --id and --all is needed')
  const queued = await withDatabase((core) =>
    retryMails(core, choice, (sql, orgId, mails) =>
      recordOperatorEvent(sql, orgId, { action: 'mail.retried', detail: { mails, ...(envelope && { envelopeId: envelope }) } }),
    ),
  )
  if (queued === 0 && choice !== 'all') throw new Error(`No mail of ${envelope ?? id} has failed to go out.`)
  print(json, { queued }, [`mails queued to be sent: ${queued}`])
}
