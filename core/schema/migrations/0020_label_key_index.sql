-- A total by label and value went by the index of keys as soon as one page of the table had been written since its last vacuum: the planner, which takes
-- organisation, workspace, key and value for independent of each other, expected one row either way, and then both indexes cost the same. It read every
-- row that has the key, seven times as much. Now only who asks for no value says what the index of keys holds by its predicate, which is true of every row.
drop index envelope_labels_by_key;
create index envelope_labels_by_key on envelope_labels (org_id, workspace_id, key, created_at desc, envelope_id desc)
  include (status, lapses_at, drops_at)
  where envelope_id <> '00000000-0000-0000-0000-000000000000';

-- These go by the keys as well. As a join with them the plan looked through every key and value of the workspace for the envelope.
create or replace function keep_envelope_labels() returns trigger language plpgsql as
$$
begin
  if tg_op <> 'INSERT' then
    delete from envelope_labels l
    where l.org_id = old.org_id and l.workspace_id = old.workspace_id and l.key = any(array(select jsonb_object_keys(old.labels)))
      and l.created_at = old.created_at and l.envelope_id = old.id
      and l.envelope_id <> '00000000-0000-0000-0000-000000000000';
  end if;
  if tg_op <> 'DELETE' then
    insert into envelope_labels (org_id, workspace_id, key, value, created_at, envelope_id, status, lapses_at, drops_at)
    select new.org_id, new.workspace_id, n.key, n.value, new.created_at, new.id, new.status, new.lapses_at, new.drops_at
    from jsonb_each_text(new.labels) n;
  end if;
  return null;
end
$$;

create or replace function restate_envelope_labels() returns trigger language plpgsql as
$$
begin
  update envelope_labels l set status = new.status, lapses_at = new.lapses_at, drops_at = new.drops_at
  where l.org_id = new.org_id and l.workspace_id = new.workspace_id and l.key = any(array(select jsonb_object_keys(new.labels)))
    and l.created_at = new.created_at and l.envelope_id = new.id
    and l.envelope_id <> '00000000-0000-0000-0000-000000000000';
  return null;
end
$$;
