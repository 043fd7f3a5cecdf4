import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordEtag } from '../../platform/http/responses/etag.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import type { AlertRow } from './alert-record.ts'
import type { AlertScope } from './alert-store.ts'

export const alertsPath = '/analytics/alerts'
export const alertPath = `${alertsPath}/:alertId`
export const alertParams = Type.Object({ alertId: idSchema })

export const etagOfAlert = (row: AlertRow): string => recordEtag(row.id, row.version)

export const alertScopeOf = ({ principal }: FastifyRequest): AlertScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})
