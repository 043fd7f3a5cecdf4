-- Why a worker refused a request, as a reason with parameters. These rows live for a minute at most.
alter table picture_requests
  drop column message,
  add column reason text,
  add column params jsonb;
