import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import type { IngestAddresses, IngestView } from '../settings/ingest-record.ts'
import type { LiveStreamOwner, LiveStreamRow } from '../store/live-stream-store.ts'

export interface LiveRouteDependencies {
  readonly database: Database
  readonly secrets: Secrets
  readonly log: Log
  readonly publicUrl: string
  readonly addresses: IngestAddresses
  readonly policy: OutboundPolicy
}

export const livePath = '/projects/:projectId/live'
export const liveParams = Type.Object({ projectId: idSchema })

export type LiveRequest = FastifyRequest & { readonly params: Static<typeof liveParams> }

export const ownerOf = (request: LiveRequest): LiveStreamOwner => ({
  accountId: request.principal.accountId,
  projectId: request.params.projectId,
})

export const viewOf = (
  request: LiveRequest,
  { secrets, addresses }: Pick<LiveRouteDependencies, 'secrets' | 'addresses'>,
): IngestView => ({
  secrets,
  addresses,
  showsKeys: request.principal.can('live:keys', ownerOf(request).projectId),
})

/** Throws 'conflict' while the stream is offline. */
export const checkLive = ({ state, project_id }: Pick<LiveStreamRow, 'state' | 'project_id'>): void => {
  if (state === 'offline') throw new Problem('project_not_live', { projectId: project_id })
}
