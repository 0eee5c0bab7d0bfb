-- How many tries failed by the envelope itself. Attempts also count those whose worker was killed or lost the database, which is nothing against it.
alter table seal_intents add column failures integer not null default 0;
