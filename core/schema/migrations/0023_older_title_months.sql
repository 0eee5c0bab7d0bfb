-- The letters of the titles that were there before they were noted. Envelopes can be written meanwhile: who began before the triggers were made has
-- ended, and what is added now has rows of its own. Forty places a title are too many to sort on disk.
set local work_mem = '256MB';
insert into title_months
select d.org_id, d.month, nextval('title_months_ids'), title_bits(coalesce(array_agg(d.place) filter (where d.place is not null), '{}'))
from (
  select e.org_id, title_month(e.created_at) as month, p.place
  from envelopes e
  left join title_places(e.title_folded) p (place) on true
  group by 1, 2, 3) d
group by d.org_id, d.month;
