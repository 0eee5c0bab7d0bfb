-- How many tries were handed back by a worker that was asked to stop. Their numbers are never given again: the run that was left behind may still have a word.
alter table seal_intents add column released integer not null default 0;
