-- How many tries failed by the mail itself. Attempts also count those that met a server that took no mail at all, which is nothing against it.
alter table mails add column failures integer not null default 0;
