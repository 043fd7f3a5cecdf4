import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { keyOf, ofFileViewers, partsOf, within, type Question } from './read-sums.ts'

export interface ViewerRow {
  readonly key: string
  readonly viewers: number
}

/** Rows of viewers do not name the project of their file. */
const readFileViewers = async (queryable: Queryable, question: Question): Promise<ViewerRow[]> => {
  const { accountId, projectIds, fileIds, groupBy } = question
  const ofProjects =
    projectIds === null
      ? sql`true`
      : sql`file_id in (
          select id from media_files where account_id = ${accountId} and ${within(sql`project_id`, projectIds)})`
  const byProject = groupBy === 'project'
  const parts = partsOf({
    question: byProject ? { ...question, groupBy: 'file' } : question,
    tables: ofFileViewers,
    condition: sql`account_id = ${accountId} and ${within(sql`file_id`, fileIds)} and ${ofProjects}`,
    summed: sql`sum(viewers) as viewers`,
  })
  const projects = byProject
    ? sql`join media_files f on f.account_id = ${accountId} and f.id = parts.at`
    : sql``
  const { rows } = await sql<ViewerRow>`
    select ${byProject ? sql`f.project_id::text` : keyOf(question)} as key, sum(sign * viewers)::bigint as viewers
    from (${parts}) parts ${projects} group by 1 having sum(sign * row_count) > 0`.execute(queryable)
  return rows
}

const dayText = (instant: Date): string => instant.toISOString().slice(0, 10)

const ofProjects = ({ accountId, projectIds }: Question) =>
  sql`account_id = ${accountId} and ${within(sql`project_id`, projectIds)}`

/** Key of a row; `at` is its time. */
const keyAt = (question: Question, at: string) =>
  question.groupBy === 'project' ? sql`project_id::text` : keyOf(question, sql.raw(at))

/** Reads daily viewers, added up over days and over projects or files. */
export const readViewers = async (queryable: Queryable, question: Question): Promise<ViewerRow[]> => {
  if (question.groupBy === 'file' || question.fileIds !== null) return readFileViewers(queryable, question)
  const { from, to } = question
  const { rows } = await sql<ViewerRow>`
    select ${keyAt(question, 'day::timestamp')} as key, sum(viewers)::bigint as viewers from viewer_days
    where ${ofProjects(question)} and day >= ${dayText(from)}::date and day < ${dayText(to)}::date
    group by 1`.execute(queryable)
  return rows
}

/** Reads the largest number of concurrent viewers. Minutes are kept for two days. */
export const readPeaks = async (queryable: Queryable, question: Question): Promise<ViewerRow[]> => {
  const ofProject = question.groupBy === 'project' ? sql`, project_id` : sql``
  const { rows } = await sql<ViewerRow>`
    select ${keyAt(question, "minute at time zone 'utc'")} as key, max(viewers)::bigint as viewers
    from (
      select minute, sum(viewers) as viewers ${ofProject} from view_minutes
      where ${ofProjects(question)} and minute >= ${question.from} and minute < ${question.to}
      group by minute ${ofProject}
    ) minutes group by 1`.execute(queryable)
  return rows
}
