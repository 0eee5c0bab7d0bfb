-- What was set aside is counted, listed and retried without reading all that went well.
create index seal_intents_parked on seal_intents (envelope_id) where state = 'PARKED';
create index mails_parked on mails (envelope_id) where state = 'PARKED';
