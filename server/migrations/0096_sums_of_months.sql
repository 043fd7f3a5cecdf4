-- Sums of days and months, from which questions about long periods are answered (docs/analytics.md). Triggers keep each of these rows
-- equal to the sum of the hours or days that are stored, whoever changes them: an api process of an older release, housekeeping, or the
-- purge of a file. row_count is the number of hours or days in a sum, so that a question can leave out sums without any.
create table view_days (
  account_id bigint not null,
  project_id bigint not null,
  day date not null,
  row_count bigint not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null, starts bigint not null, complete_views bigint not null,
  rated_ms bigint not null, rated_bits bigint not null, scaled_ms bigint not null, upscaled_ms bigint not null,
  upscale_ms bigint not null,
  startup_counts integer[] not null,
  latency_counts integer[] not null,
  primary key (account_id, project_id, day)
) with (fillfactor = 70);

create table file_view_months (
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint not null,
  month date not null,
  row_count bigint not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null, starts bigint not null, complete_views bigint not null,
  rated_ms bigint not null, rated_bits bigint not null, scaled_ms bigint not null, upscaled_ms bigint not null,
  upscale_ms bigint not null,
  startup_counts integer[] not null,
  latency_counts integer[] not null,
  primary key (account_id, file_id, month, project_id),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
create index file_view_months_of_project on file_view_months (account_id, project_id, month);

-- Of all files, for the days at the ends of a period.
create index file_viewer_days_by_day on file_viewer_days (account_id, day);

create table file_viewer_months (
  account_id bigint not null,
  file_id bigint not null,
  month date not null,
  row_count bigint not null,
  viewers bigint not null,
  primary key (account_id, file_id, month),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
comment on column file_viewer_months.viewers is 'sum of the viewers of each day';

create table view_dimension_months (
  account_id bigint not null,
  project_id bigint not null,
  month date not null,
  dimension text not null,
  value text not null,
  row_count bigint not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null, starts bigint not null, complete_views bigint not null,
  rated_ms bigint not null, rated_bits bigint not null, scaled_ms bigint not null, upscaled_ms bigint not null,
  upscale_ms bigint not null,
  primary key (account_id, dimension, month, project_id, value)
) with (fillfactor = 70);

-- All measures have a default, so that a table can get another one while older processes insert rows.
do $do$
declare
  measure record;
begin
  for measure in
    select attrelid::regclass as owner, attname as name from pg_attribute
    where attrelid in ('view_hours'::regclass, 'view_days'::regclass, 'file_view_days'::regclass, 'file_view_months'::regclass,
        'view_dimension_days'::regclass, 'view_dimension_months'::regclass, 'file_view_minutes'::regclass)
      and attnum > 0 and not atthasdef and attname <> 'row_count' and attname !~ '_id$' and atttypid in ('bigint'::regtype, 'integer[]'::regtype)
      and attname <> 'viewers'
  loop
    execute format('alter table %s alter column %I set default %L', measure.owner, measure.name,
      case when measure.name like '%\_counts' then '{}' else '0' end);
  end loop;
end
$do$;

-- Adds two histograms step by step; the shorter one ends with zeros. The sign is 1 or -1.
create function add_steps(sum integer[], steps integer[], sign integer) returns integer[] language sql immutable parallel safe as $$
  select case when cardinality(steps) = 0 then sum else array(
    select coalesce(one, 0) + sign * coalesce(other, 0)
    from unnest(sum, steps) with ordinality as pairs(one, other, step) order by step
  ) end
$$;
create aggregate sum_steps(steps integer[], sign integer) (sfunc = add_steps, stype = integer[], initcond = '{}', parallel = safe);

-- A function and three triggers for each table of hours or days, and the sums of the rows that are stored already. The triggers come first:
-- they lock the table until the end of the transaction.
do $do$
declare
  pair record;
  measures record;
  adding text;
begin
  for pair in select * from (values
    ('view_hours', 'view_days', 'account_id, project_id, day', $$(hour at time zone 'utc')::date as day$$),
    ('file_view_days', 'file_view_months', 'account_id, file_id, month, project_id', $$date_trunc('month', day)::date as month$$),
    ('file_viewer_days', 'file_viewer_months', 'account_id, file_id, month', $$date_trunc('month', day)::date as month$$),
    ('view_dimension_days', 'view_dimension_months', 'account_id, dimension, month, project_id, value', $$date_trunc('month', day)::date as month$$)
  ) as pairs(parts, sums, key, period)
  loop
    select string_agg(name, ', ') as columns,
      string_agg(summed, ', ') as summed,
      string_agg(format('%s as %s', summed, name), ', ') as summed_by_name,
      string_agg(case when is_histogram then format('%1$s = add_steps(%2$s.%1$s, excluded.%1$s, 1)', name, pair.sums)
        else format('%1$s = %2$s.%1$s + excluded.%1$s', name, pair.sums) end, ', ') as added,
      string_agg(case when is_histogram then format('%1$s = add_steps(%2$s.%1$s, gone.%1$s, -1)', name, pair.sums)
        else format('%1$s = %2$s.%1$s - gone.%1$s', name, pair.sums) end, ', ') as subtracted
    into measures
    from (
      select attname as name, attname like '%\_counts' as is_histogram,
        case when attname = 'row_count' then 'sum(sign)' when attname like '%\_counts' then format('sum_steps(%s, sign)', attname)
          else format('sum(sign * %s)', attname) end as summed
      from pg_attribute
      where attrelid = pair.sums::regclass and attnum > 0 and not attname = any(string_to_array(pair.key, ', ')) order by attnum
    ) columns;
    adding := format('insert into %s (%s, %s) select %s, %s from (select *, %s from (%%s) changes) parts group by %s on conflict (%s) do update set %s',
      pair.sums, pair.key, measures.columns, pair.key, measures.summed, pair.period, pair.key, pair.key, measures.added);
    execute format($function$
      create function add_to_%1$s() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'INSERT' then
          %2$s;
        elsif tg_op = 'UPDATE' then
          %3$s;
        else
          update %1$s set %4$s from (
            select %5$s, %6$s from (select *, 1 as sign, %7$s from removed) parts group by %5$s
          ) gone where (%8$s) = (%9$s);
        end if;
        return null;
      end
      $body$ $function$,
      pair.sums, format(adding, 'select 1 as sign, * from added'),
      format(adding, 'select 1 as sign, * from added union all select -1, * from removed'),
      measures.subtracted, pair.key, measures.summed_by_name, pair.period,
      regexp_replace(pair.key, '\w+', pair.sums || '.\&', 'g'), regexp_replace(pair.key, '\w+', 'gone.\&', 'g'));
    execute format('create trigger add_inserted after insert on %s referencing new table as added
      for each statement execute function add_to_%s()', pair.parts, pair.sums);
    execute format('create trigger add_updated after update on %s referencing old table as removed new table as added
      for each statement execute function add_to_%s()', pair.parts, pair.sums);
    execute format('create trigger subtract_deleted after delete on %s referencing old table as removed
      for each statement execute function add_to_%s()', pair.parts, pair.sums);
    execute format(adding, format('select 1 as sign, * from %s', pair.parts));
  end loop;
end
$do$;

analyze view_days, file_view_months, file_viewer_months, view_dimension_months;

-- Parquet files of whole months (docs/analytics.md). Null in rows of older releases: the file has one day.
alter table view_archives add column last_day date;
