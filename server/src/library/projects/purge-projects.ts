import type { Database } from '../../platform/db/database.ts'
import { isPurgeDue } from '../../platform/jobs/purge-due.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { projectFilesJob } from './project-jobs.ts'

const dayMs = 86_400_000

/**
 * Clears the rows of projects deleted before the retention period, once their last file is purged; they can
 * no longer be restored. The nameless row stays, because webhooks, playlists and roles may refer to it.
 */
export const purgeProjects = async ({
  database,
  retentionDays,
}: {
  readonly database: Database
  readonly retentionDays: number
}): Promise<void> => {
  await database.kysely
    .updateTable('projects')
    .set({
      purged_at: new Date(),
      external_id: null,
      name: '',
      description: '',
      allowed_domains: '[]',
      analytics_dimensions: '[]',
      encoder_settings: '{}',
      metadata_fields: '[]',
      player_color: null,
      player_logo: null,
    })
    .where(isPurgeDue(retentionDays))
    .where('purged_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('media_files').select('id').whereRef('media_files.project_id', '=', 'projects.id'),
        ),
      ),
    )
    .execute()
  for (const table of ['project_watermarks', 'player_logos'] as const)
    await database.kysely
      .deleteFrom(table)
      .where('project_id', 'in', (query) =>
        query.selectFrom('projects').select('id').where('purged_at', 'is not', null),
      )
      .execute()
}

/** Queues the files job of a project again when its retries ran out before it was done. */
export const askAgainForProjectFiles = async ({
  database,
  jobs,
}: {
  readonly database: Database
  readonly jobs: Jobs
}): Promise<void> => {
  const changedBefore = new Date(Date.now() - dayMs)
  const left = await database.kysely
    .selectFrom('projects')
    .select(['id', 'account_id'])
    .where('purged_at', 'is', null)
    .where('updated_at', '<', changedBefore)
    .where((where) =>
      where.or([
        where('is_restoring', '=', true),
        where.exists(
          where
            .selectFrom('media_files')
            .select('id')
            .whereRef('media_files.project_id', '=', 'projects.id')
            .where((file) =>
              file.or([
                file.and([
                  file('projects.deleted_at', 'is not', null),
                  file('media_files.deleted_at', 'is', null),
                ]),
                file.and([
                  file('projects.deleted_at', 'is', null),
                  file('media_files.deleted_at', 'is not', null),
                  file('media_files.is_deleted_with_project', '=', true),
                  file('media_files.purging_at', 'is', null),
                ]),
              ]),
            ),
        ),
      ]),
    )
    .limit(100)
    .execute()
  for (const { id, account_id } of left)
    await jobs.enqueue(database.kysely, projectFilesJob, {
      accountId: account_id,
      projectId: id,
      changedAtMs: changedBefore.getTime(),
    })
}
