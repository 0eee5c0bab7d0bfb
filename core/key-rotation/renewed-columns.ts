// Every column whose values the installation key makes and a rotation renews: encrypted secrets, and the heads of the audit trail. A test compares the list
// with the schema.
import { tokenKeyContext } from '#core/account/credential/token-keys.ts'
import { factorContext } from '#core/account/factor/factor-context.ts'
import { responseContext } from '#core/account/idempotency/respond-once.ts'
import { auditStatement } from '#core/audit/rules.ts'
import { PersonId, WebhookId } from '#core/ids.ts'
import { mailContext } from '#core/mail/record-mail.ts'
import { retiredContext } from '#core/platform/crypto/retired-key.ts'
import { keyAad } from '#core/signing-key/key-aad.ts'
import { referenceContext, secretContext } from '#core/webhook/secret.ts'
import { z } from 'zod'
import { type RenewedColumn, renewedBox, renewedMac } from './renewed-column.ts'

const Text = z.string()
const Count = z.number()
const Bytes = z.instanceof(Buffer)

const WEBHOOK = {
  table: 'webhooks',
  keys: ['id'],
  renew: renewedBox(([id]) => secretContext(WebhookId.parse(id))),
}

export const RENEWED_COLUMNS: readonly RenewedColumn[] = [
  // First: without it a process cannot verify what earlier keys made.
  {
    table: 'retired_installation_keys',
    column: 'box',
    keys: ['proof'],
    renew: renewedBox(([proof]) => retiredContext(Bytes.parse(proof))),
  },
  {
    table: 'signing_key_materials',
    column: 'box',
    keys: ['key_id', 'version'],
    renew: renewedBox(([id, version]) => keyAad(Text.parse(id), Count.parse(version))),
  },
  {
    table: 'token_keys',
    column: 'private_box',
    keys: ['kid'],
    renew: renewedBox(([kid]) => tokenKeyContext(Text.parse(kid))),
  },
  {
    table: 'second_factors',
    column: 'secret_box',
    keys: ['org_id', 'person_id'],
    renew: renewedBox(([, id]) => factorContext(PersonId.parse(id))),
  },
  { ...WEBHOOK, column: 'secret_box' },
  { ...WEBHOOK, column: 'previous_secret_box' },
  {
    table: 'webhook_secret_references',
    column: 'secret_box',
    keys: ['object_uid'],
    renew: renewedBox(([uid]) => referenceContext(Text.parse(uid))),
  },
  { table: 'mails', column: 'secret_box', keys: ['org_id', 'id'], renew: renewedBox(([, id]) => mailContext(Text.parse(id))) },
  {
    table: 'idempotency_keys',
    column: 'answer_box',
    keys: ['org_id', 'key_hash'],
    renew: renewedBox(([orgId, hash]) => responseContext(Text.parse(orgId), Bytes.parse(hash))),
  },
  {
    table: 'audit_heads',
    column: 'mac',
    keys: ['org_id', 'envelope_id', 'seq', 'hash'],
    renew: renewedMac(([orgId, envelopeId, seq, hash]) =>
      auditStatement(
        'head',
        { orgId: Text.parse(orgId), envelopeId: Text.parse(envelopeId), seq: Count.parse(seq) },
        Bytes.parse(hash),
      ),
    ),
  },
  {
    table: 'audit_ledger_heads',
    column: 'mac',
    keys: ['org_id', 'org_seq', 'hash'],
    renew: renewedMac(([orgId, seq, hash]) =>
      auditStatement('head', { orgId: Text.parse(orgId), seq: Count.parse(seq) }, Bytes.parse(hash)),
    ),
  },
]
