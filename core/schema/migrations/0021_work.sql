-- What the jobs of each kind cost, as the worker processes measured it: with the number of due jobs it is the signal that scales them.
-- compatible from: 0019

create table work_costs (
  -- See core/work-kinds.ts.
  kind        text primary key,
  -- How long one worker process needs for a job: an attempt's duration, divided by the number of attempts that the process makes at a time.
  seconds     double precision not null constraint work_costs_seconds check (seconds >= 0),
  measured_at timestamptz not null
);
grant select, insert, update on work_costs to sealwright_system;
