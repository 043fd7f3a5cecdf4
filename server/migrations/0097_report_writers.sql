-- The last batch of reports that each api process stored in view_reports. A process that lost the connection does not know whether its batch
-- was committed, and sends it again; this row then keeps it from being stored twice.
create table report_writers (
  id uuid primary key,
  batch bigint not null,
  stored_at timestamptz not null default now()
) with (fillfactor = 50);
comment on table report_writers is 'one row for each running api process; housekeeping deletes those of ended ones';
