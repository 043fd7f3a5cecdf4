import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import type { WebhookScope } from './webhook-store.ts'

export const webhookParams = Type.Object({ webhookId: idSchema })

export const scopeOf = ({ principal }: FastifyRequest): WebhookScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})
