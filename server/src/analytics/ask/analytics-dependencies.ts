import { Type } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import type { Authenticate } from '../../platform/http/requests/authenticate.ts'

export interface AnalyticsDependencies {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly isCollecting: boolean
  /** Values of fine dimensions with fewer views are hidden. */
  readonly smallestGroup: number
}

export const isCollectingSchema = Type.Boolean({
  description:
    'Whether this server collects views. False with `ZOETROPE_ANALYTICS=off`: then figures are those of earlier views.',
})
