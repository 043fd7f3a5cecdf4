import { StartupError } from '../platform/base/startup-error.ts'
import type { ArchiveOptions } from './archive/open-archives.ts'
import {
  groupInArchives,
  groupInClickHouse,
  groupInPostgres,
  type GroupAll,
} from './breakdown/view-engine.ts'
import type { ClickHouse } from './clickhouse/clickhouse.ts'
import { missingClickHouseUrl } from './clickhouse/missing-url.ts'
import type { ViewsEngine } from './store/stored-views.ts'

export interface ViewEngineOptions extends ArchiveOptions {
  readonly config: ArchiveOptions['config'] & {
    readonly analyticsViews: ViewsEngine
    readonly clickHouseUrl: string | null
  }
}

/** Only installations that use it load the client. */
export const openConfiguredClickHouse = async (url: string | null): Promise<ClickHouse> => {
  if (url === null) throw new StartupError(missingClickHouseUrl)
  const { openClickHouse } = await import('./clickhouse/clickhouse.ts')
  return openClickHouse(url)
}

/** Opens the engine with which an api process groups single views. */
export const openViewEngine = async (
  options: ViewEngineOptions,
): Promise<{ readonly groupAll: GroupAll; readonly close: () => Promise<void> }> => {
  const { database, config } = options
  if (config.analyticsViews === 'parquet') {
    const { openArchiveReader } = await import('./archive/open-archives.ts')
    const archives = await openArchiveReader(options)
    return { groupAll: groupInArchives(database, archives), close: archives.close }
  }
  if (config.analyticsViews === 'clickhouse') {
    const clickHouse = await openConfiguredClickHouse(config.clickHouseUrl)
    return { groupAll: groupInClickHouse(database, clickHouse), close: clickHouse.close }
  }
  return { groupAll: groupInPostgres(database), close: async () => {} }
}
