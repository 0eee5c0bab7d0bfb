-- What comes to its end by itself: drafts that nobody touches, the documents of envelopes that ended long ago, and rows that have no reader left.

alter table envelopes
  add column touched_at timestamptz not null default sealwright_now(),
  -- When a draft goes unless it is touched before.
  add column drops_at timestamptz,
  -- A legal hold: since when the documents may not go.
  add column held_at timestamptz,
  -- The documents are gone for everybody, and then, when their bytes are deleted, for good.
  add column archived_at timestamptz,
  add column erased_at timestamptz,
  add constraint envelopes_dropped check (drops_at is null or status = 'DRAFT'),
  add constraint envelopes_archived check (archived_at is null or ended_at is not null),
  add constraint envelopes_erased check (erased_at is null or archived_at is not null);
-- Drafts of before begin to live now; the sweep measures them anew where the setting says otherwise.
update envelopes set drops_at = touched_at + interval '30 days' where status = 'DRAFT';
create index envelopes_to_drop on envelopes (drops_at) where drops_at is not null;
-- Finds drafts whose life was measured by another setting than today's.
create index envelopes_by_draft_life on envelopes ((drops_at - touched_at)) where drops_at is not null;
create index envelopes_to_archive on envelopes (org_id, ended_at) where ended_at is not null and archived_at is null and held_at is null;
create index envelopes_to_erase on envelopes (archived_at) where archived_at is not null and erased_at is null;

-- A draft whose time has passed is gone for every read and every gate, whether or not the sweep has been there. One that expired before stays.
drop policy own_organisation on envelopes;
create policy own_organisation on envelopes to sealwright_api
  using (org_id = sealwright_org() and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at))
  with check (org_id = sealwright_org());

-- An envelope can be archived before it was ever sealed; then nothing is left to seal.
alter table seal_intents
  drop constraint seal_intents_state,
  add constraint seal_intents_state check (state in ('WAITING', 'DONE', 'PARKED', 'DROPPED'));

-- For the pruning of what has no reader any more.
create index outbox_published on outbox (published_at) where published_at is not null;
create index mails_settled on mails (due_at) where state in ('SENT', 'DROPPED', 'PARKED');
