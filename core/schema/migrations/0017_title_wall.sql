-- The organisation is looked up once for each search by the index of titles, no longer for each envelope that it finds: that was a third of what a find cost.
create or replace view searchable_envelopes as
  select id, workspace_id, title_folded, status, labels, created_at, lapses_at, title_grams(org_id, title_folded) as title_grams
  from envelopes
  where (org_id = (select sealwright_org())) is true and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at);
