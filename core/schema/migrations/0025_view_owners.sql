-- Why these views read with the rights of their owner instead of the caller's (`security_invoker`).
-- compatible from: 0019
comment on view searchable_envelopes is 'Not security_invoker: under row-level security Postgres does not use the index of titles, whose operators are not leakproof. The view compares the organisation itself.';
comment on view shown_envelope_counts is 'Not security_invoker: under row-level security Postgres would look for the rows by organisation, not in the small indexes of the sweeps. The view compares the organisation itself.';
