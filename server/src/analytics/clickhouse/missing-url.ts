export const missingClickHouseUrl = 'ZOETROPE_ANALYTICS_VIEWS=clickhouse needs ZOETROPE_CLICKHOUSE_URL.'
