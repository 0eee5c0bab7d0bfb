// Tests of the races' checks: each rule is broken on purpose, and must be reported by its name.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { brokenCounters, brokenRules } from '../support/invariants/races/invariants.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'

let world: World

beforeAll(async () => {
  world = await raceWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Placeholders for the ids of the envelope and of its first and second signer. */
const DAMAGE: readonly (readonly [rule: string, damage: string])[] = [
  [
    'an envelope has one outcome, its own, and none before it has ended',
    `update envelopes set status = 'EXPIRED', ended_at = now() where id = $E`,
  ],
  [
    'sending is reported once, first, and only when it happened',
    `delete from events where type = 'envelope.sent' and envelope_id = $E`,
  ],
  [
    'nothing is reported of an envelope that has ended',
    `insert into events (org_id, id, envelope_id, type, body) select org_id, gen_random_uuid(), envelope_id, s, body
     from events, unnest(array['envelope.cancelled', 'signer.signed']) s where type = 'envelope.sent' and envelope_id = $E order by s`,
  ],
  ['a signature, its signer, its event and its audit row come together, once', `delete from signatures where signer_id = $A`],
  [
    'a signature, its signer, its event and its audit row come together, once',
    `update signers set status = 'SIGNED', signed_at = now() where id = $B`,
  ],
  ['a first view is reported once, where there was one', `update signers set viewed_at = null where id = $B`],
  ['the status of an envelope is what its signers did', `update envelopes set status = 'SENT' where id = $E`],
  [
    'signers who had not signed when the envelope ended are out',
    `update envelopes set status = 'CANCELLED', ended_at = now() where id = $E`,
  ],
  [
    'the promise to seal is there exactly when all have signed',
    `insert into seal_jobs (org_id, envelope_id) select org_id, id from envelopes where id = $E`,
  ],
  ['a sent envelope has one link a signer, a draft none', `delete from signing_links where signer_id = $B`],
  [
    'no link of an ended envelope opens anything but the signed copy',
    `update envelopes set status = 'CANCELLED', ended_at = now() where id = $E`,
  ],
  [
    'exactly the links of signers who signed were used, before the envelope expired',
    `update signing_links set used_at = null where signer_id = $A`,
  ],
  [
    'exactly the links of signers who signed were used, before the envelope expired',
    `update signing_links set used_at = expires_at where signer_id = $A`,
  ],
  ['each signer has one mail with the link, held while the turn has not come', `delete from mails where signer_id = $B`],
  [
    'each signer has one mail with the link, held while the turn has not come',
    `update mails set state = 'HELD' where signer_id = $B`,
  ],
  [
    'no mail waits for an envelope that has ended without success',
    `update envelopes set status = 'CANCELLED', ended_at = now() where id = $E`,
  ],
  [
    'every mail that may go was asked for once',
    `insert into outbox (org_id, subject, body) select o.org_id, subject, body from outbox o, mails m where m.signer_id = $B and body->>'id' = m.id::text`,
  ],
  [
    'every code was mailed once, and one at most is still open',
    `insert into otp_challenges (org_id, id, signer_id, code_hmac, expires_at) select org_id, gen_random_uuid(), id, '', now() from signers where id = $B`,
  ],
  [
    'the trail tells the same story as the receivers',
    `insert into events (org_id, id, envelope_id, type, body) select org_id, gen_random_uuid(), envelope_id, 'envelope.cancelled', body from events where type = 'envelope.sent' and envelope_id = $E`,
  ],
  ['the documents are those that were frozen', `update documents set envelope_id = null, position = null where envelope_id = $E`],
  ['the signers are those that were frozen', `delete from signers where id = $B`],
  [
    'no code was tried more often than allowed',
    `insert into otp_challenges (org_id, id, signer_id, code_hmac, expires_at, tries) select org_id, gen_random_uuid(), id, '', now(), 6 from signers where id = $B`,
  ],
]

const OF_ORGANISATION: readonly (readonly [rule: string, damage: string])[] = [
  [
    'the count of open envelopes is what the rows say',
    `update organisations set open_envelopes = open_envelopes + 1 where id = $O`,
  ],
  ['the storage in use is what the rows say', `update organisations set storage_bytes = storage_bytes + 1 where id = $O`],
  [
    'a webhook is probed regularly exactly while nothing but the workers disables it',
    `insert into webhooks (org_id, id, url, event_types, secret_box, secret_last_four, disabled_automatically_at)
     values ($O, gen_random_uuid(), 'https://receiver.example', array['envelope.sent'], '', '0000', now())`,
  ],
  [
    'Kubernetes is going to be shown the newest version of every webhook',
    `insert into webhooks (org_id, id, url, event_types, secret_box, secret_last_four)
     values ($O, gen_random_uuid(), 'https://receiver.example', array['envelope.sent'], '', '0000');
     delete from mirror_changes`,
  ],
  [
    'the envelopes sent today are what the rows say',
    `update quota_windows set used = used + 1 where org_id = $O and dimension = 'ENVELOPES_SENT_PER_DAY'`,
  ],
]

test.each([...DAMAGE, ...OF_ORGANISATION])('"%s" is reported as broken', async (rule, damage) => {
  const { id, tokens } = await world.viewed({ signers: [ADA, BEN] })
  await world.sign(tokens[0]!)
  const { owner } = world.service.database
  const { orgId } = world.caller
  const untouched = await world.viewed({ signers: [ADA, BEN] })
  const broken = () => brokenRules(owner, world.core, orgId, [untouched.id, id])
  expect(await broken()).toEqual([])
  const names: Record<string, string> = { $E: id, $A: tokens[0]!.signerId, $B: tokens[1]!.signerId, $O: orgId }
  await owner.unsafe(damage.replaceAll(/\$[EABO]/g, (name) => `'${names[name]}'`).replaceAll("'::text", "'"))
  const breaches = await broken()
  expect(breaches.map(({ envelopeId }) => envelopeId)).not.toContain(untouched.id)
  expect([...breaches.map((breach) => breach.rule), ...(await brokenCounters(owner, orgId))]).toContain(rule)
})
