-- What makes lists and counts fast however many envelopes there are. Every index begins with organisation and workspace, because every reader's right
-- to read is given by workspace, and has what the wall around the rows asks about drafts (drops_at, lapses_at), so that no row need be visited.
alter table envelopes add column title_folded text generated always as (lower(title)) stored;

drop index envelopes_by_creation, envelopes_by_workspace, envelopes_by_label;
create index envelopes_listed on envelopes (org_id, workspace_id, created_at desc, id desc) include (title_folded, lapses_at, drops_at);
create index envelopes_by_status on envelopes (org_id, workspace_id, status, created_at desc, id desc) include (lapses_at, drops_at);
-- A young page is one that no index-only scan can trust; a large table would otherwise gather a fifth of such pages before it is vacuumed.
alter table envelopes set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- The labels of the envelopes, one row each, kept by a trigger. Containment in jsonb cannot be asked of an index behind row-level security (its
-- operators are not leakproof), equality of texts can.
create table envelope_labels (
  org_id       uuid not null,
  workspace_id uuid not null,
  key          text not null,
  value        text not null,
  created_at   timestamptz not null,
  envelope_id  uuid not null
);
create index envelope_labels_by_value on envelope_labels (org_id, workspace_id, key, value, created_at desc, envelope_id desc);
create index envelope_labels_by_key on envelope_labels (org_id, workspace_id, key, created_at desc, envelope_id desc);
alter table envelope_labels enable row level security;
create policy own_organisation on envelope_labels to sealwright_api using (org_id = sealwright_org()) with check (org_id = sealwright_org());
create policy every_organisation on envelope_labels to sealwright_system using (true) with check (true);
grant select, insert, delete on envelope_labels to sealwright_api, sealwright_system;

create function keep_envelope_labels() returns trigger language plpgsql as
$$
begin
  if tg_op <> 'INSERT' then
    delete from envelope_labels l using jsonb_each_text(old.labels) o
    where l.org_id = old.org_id and l.workspace_id = old.workspace_id and l.key = o.key and l.value = o.value
      and l.created_at = old.created_at and l.envelope_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into envelope_labels (org_id, workspace_id, key, value, created_at, envelope_id)
    select new.org_id, new.workspace_id, n.key, n.value, new.created_at, new.id from jsonb_each_text(new.labels) n;
  end if;
  return null;
end
$$;
create trigger envelope_labels_added after insert on envelopes for each row
  when (new.labels <> '{}') execute function keep_envelope_labels();
create trigger envelope_labels_changed after update of labels, workspace_id, created_at on envelopes for each row
  when ((old.labels, old.workspace_id, old.created_at) is distinct from (new.labels, new.workspace_id, new.created_at))
  execute function keep_envelope_labels();
create trigger envelope_labels_removed after delete on envelopes for each row
  when (old.labels <> '{}') execute function keep_envelope_labels();

-- The drafts that the wall around the envelopes hides although their rows are still there, for lists that look at labels alone. Reads past the wall,
-- and therefore draws it itself.
create function dropped_drafts() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as
  $$ select id from envelopes
     where org_id = sealwright_org() and drops_at <= sealwright_now() and not coalesce(lapses_at <= drops_at, false) $$;
revoke execute on function dropped_drafts from public;
grant execute on function dropped_drafts to sealwright_api, sealwright_system;

insert into envelope_labels (org_id, workspace_id, key, value, created_at, envelope_id)
select e.org_id, e.workspace_id, l.key, l.value, e.created_at, e.id from envelopes e, jsonb_each_text(e.labels) l;
