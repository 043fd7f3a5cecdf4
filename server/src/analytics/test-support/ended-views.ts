import type { TestServer } from '../../../test/support/test-server.ts'
import type { ViewKind } from '../../platform/db/tables/analytics.ts'

export interface TestView {
  readonly projectId: number
  readonly fileId: number | null
  readonly endedAt: Date
  readonly watchMs?: number
  readonly startupMs?: number | null
  readonly rebufferMs?: number
  readonly hasFailed?: boolean
  readonly kind?: ViewKind
  readonly dimensions?: Readonly<Record<string, string>>
}

/** Adds rows of views that have ended, as an api process does. */
export const addViews = async ({ services }: TestServer, views: readonly TestView[]): Promise<void> => {
  const { kysely } = services.database
  const { account_id } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', views[0]?.projectId ?? 0)
    .executeTakeFirstOrThrow()
  await kysely
    .insertInto('views')
    .values(
      views.map((view) => ({
        account_id,
        project_id: view.projectId,
        file_id: view.fileId,
        kind: view.kind ?? 'viewer',
        source: 'reports' as const,
        started_at: view.endedAt,
        ended_at: view.endedAt,
        watch_ms: view.watchMs ?? 30_000,
        startup_ms: view.startupMs === undefined ? 500 : view.startupMs,
        rebuffers: (view.rebufferMs ?? 0) > 0 ? 1 : 0,
        rebuffer_ms: view.rebufferMs ?? 0,
        has_started: (view.watchMs ?? 1) > 0,
        has_failed: view.hasFailed ?? false,
        error_code: null,
        dimensions: JSON.stringify(view.dimensions ?? {}),
      })),
    )
    .execute()
}

export const dayMs = 86_400_000

/** Noon of a past day, in UTC. */
export const daysAgo = (days: number): Date =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + dayMs / 2)
