import { clickHouseUrl, decimal, flag, integer, oneOf, optional, setting } from './setting.ts'

const MiB = 1_048_576

export const analyticsSettings = {
  isAnalyticsOn: setting(
    'ZOETROPE_ANALYTICS',
    'on',
    (value, name) => oneOf(['on', 'off'] as const)(value, name) === 'on',
    'Whether to collect views and their quality (docs/analytics.md). off: collects nothing, and returns 410 to reports about files and playlists.',
  ),
  isAnalyticsOptOutRespected: setting(
    'ZOETROPE_ANALYTICS_RESPECT_OPT_OUT',
    '1',
    flag,
    'Collect nothing from browsers that send `DNT: 1` or `Sec-GPC: 1` (Global Privacy Control).',
  ),
  analyticsViewDays: setting(
    'ZOETROPE_ANALYTICS_VIEW_DAYS',
    '30',
    decimal(0, 3_650),
    'How long the row of each view is kept, in days; 0 = deleted within an hour. Sums are kept for 400 days.',
  ),
  analyticsViews: setting(
    'ZOETROPE_ANALYTICS_VIEWS',
    'postgres',
    oneOf(['postgres', 'parquet', 'clickhouse'] as const),
    'Where the rows of views are kept (docs/analytics.md). postgres: in the database; parquet: workers also write the views of each past day to Parquet files in the media storage, which requires the optional package @duckdb/node-api; clickhouse: workers also send them to a ClickHouse server.',
  ),
  analyticsArchiveDays: setting(
    'ZOETROPE_ANALYTICS_ARCHIVE_DAYS',
    '400',
    decimal(1, 3_650),
    'How long the Parquet files of views are kept, in days.',
  ),
  clickHouseUrl: setting(
    'ZOETROPE_CLICKHOUSE_URL',
    '',
    clickHouseUrl,
    'ClickHouse server for ZOETROPE_ANALYTICS_VIEWS=clickhouse, with user, password and database: https://user:password@host:8443/zoetrope.',
    true,
  ),
  analyticsMemoryBytes: setting(
    'ZOETROPE_ANALYTICS_MEMORY_BYTES',
    String(512 * MiB),
    integer(64 * MiB, Number.MAX_SAFE_INTEGER),
    'Largest memory of the process that reads and writes Parquet files, one for each api process and worker, in bytes.',
  ),
  isAnalyticsPageCollected: setting(
    'ZOETROPE_ANALYTICS_PAGES',
    '0',
    flag,
    'Collect the path of the page that plays, without its query (docs/analytics.md).',
  ),
  analyticsCountryDatabase: setting(
    'ZOETROPE_ANALYTICS_COUNTRY_DATABASE',
    '',
    optional,
    'Path of a database of countries in MaxMind format (.mmdb), such as GeoLite2-Country or DB-IP. It is read again each day. Default: the included one.',
  ),
  analyticsSmallestGroup: setting(
    'ZOETROPE_ANALYTICS_SMALLEST_GROUP',
    '10',
    integer(1, 1_000),
    'Smallest number of views that analytics shows for one country, browser, operating system, player, page or custom value. 1 = all.',
  ),
} as const
