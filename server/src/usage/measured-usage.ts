import type { Database } from '../kernel/db/database.ts'
import { measureAccount, type FiguresOfProjects } from './usage-figures.ts'

export interface MeasuredUsage {
  readonly measuredAt: Date
  readonly figures: FiguresOfProjects
}

/** An answer serves so many times as long as it took: however often somebody asks, the database spends a tenth of its time on it at most. */
const servesTimes = 10

/** Counts all files of an account: a few milliseconds for thousands, a third of a second for a hundred thousand. */
export const createMeasuredUsage = (database: Database): ((accountId: number) => Promise<MeasuredUsage>) => {
  const measured = new Map<number, Promise<MeasuredUsage>>()

  const measure = async (accountId: number): Promise<MeasuredUsage> => {
    const measuredAt = new Date()
    const figures = await measureAccount(database.kysely, accountId)
    return { measuredAt, figures }
  }

  return (accountId) => {
    const known = measured.get(accountId)
    if (known !== undefined) return known
    const beganMs = performance.now()
    const found = measure(accountId)
    measured.set(accountId, found)
    const forget = (): void => void measured.delete(accountId)
    found.then(() => setTimeout(forget, servesTimes * (performance.now() - beganMs)).unref(), forget)
    return found
  }
}
