import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingClickHouseUrl } from '../../../analytics/clickhouse/missing-url.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { Config } from '../../config/config.ts'
import { finding, type Finding } from './finding.ts'

type Settings = Pick<
  Config,
  'analyticsViews' | 'clickHouseUrl' | 'analyticsMemoryBytes' | 'analyticsCountryDatabase'
>

const silent = createLog({ level: 'silent' })

/** Returns the message of the error, or null when the attempt succeeds. */
const problemOf = async (attempt: () => Promise<unknown>): Promise<string | null> => {
  try {
    await attempt()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const checkClickHouse = async (url: string | null): Promise<Finding> => {
  if (url === null) return finding('Views', 'failed', missingClickHouseUrl)
  const { openClickHouse } = await import('../../../analytics/clickhouse/clickhouse.ts')
  const clickHouse = openClickHouse(url)
  const problem = await problemOf(() => clickHouse.command('select count() from views', {}))
  await clickHouse.close()
  const { host } = new URL(url)
  return problem === null
    ? finding('Views', 'ok', `ClickHouse at ${host} has the table of views`)
    : finding(
        'Views',
        'failed',
        `Cannot read the table views in ClickHouse at ${host} (${problem}). Check ZOETROPE_CLICKHOUSE_URL.`,
      )
}

const checkParquet = async (memoryBytes: number): Promise<Finding> => {
  const { checkDuckDb, createDuckDb } = await import('../../../analytics/archive/duckdb/duckdb.ts')
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'zoetrope-doctor-'))
  const duckDb = createDuckDb({
    log: silent,
    temporaryFolder,
    memoryMegabytes: Math.floor(memoryBytes / 1e6),
    threads: 1,
  })
  const problem = await problemOf(() => checkDuckDb(duckDb))
  await duckDb.close()
  await rm(temporaryFolder, { recursive: true, force: true })
  return problem === null ? finding('Views', 'ok', 'DuckDB loads') : finding('Views', 'failed', problem)
}

const checkCountries = async (path: string): Promise<Finding> => {
  const { openCountries } = await import('../../../analytics/dimensions/countries.ts')
  const problem = await problemOf(() => openCountries(path))
  return problem === null
    ? finding('Countries', 'ok', path)
    : finding(
        'Countries',
        'warning',
        `All countries are unknown: cannot read ${path} (${problem}). Check ZOETROPE_ANALYTICS_COUNTRY_DATABASE.`,
      )
}

/** Checks what analytics needs beyond the database. Returns no finding for the defaults. */
export const checkViews = async (settings: Settings): Promise<Finding[]> => {
  const { analyticsViews, clickHouseUrl, analyticsMemoryBytes, analyticsCountryDatabase } = settings
  const findings: Finding[] = []
  if (analyticsViews === 'clickhouse') findings.push(await checkClickHouse(clickHouseUrl))
  if (analyticsViews === 'parquet') findings.push(await checkParquet(analyticsMemoryBytes))
  if (analyticsCountryDatabase !== null) findings.push(await checkCountries(analyticsCountryDatabase))
  return findings
}
