import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { WebhookScope } from './webhook-store.ts'

export const webhookParams = Type.Object({ webhookId: Type.Integer({ minimum: 1 }) })

export const scopeOf = ({ principal }: FastifyRequest): WebhookScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})
