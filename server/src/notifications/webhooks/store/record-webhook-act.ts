import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../../accounts/audit/audit-action.ts'
import { actorOf, recordAct, type Act } from '../../../accounts/audit/record-act.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { webhookRecord, type WebhookRow } from './webhook-record.ts'

/** Masks parts that often hold a receiver's secret: the query and the header values. */
const masks = {
  TargetURL: (value: unknown) => String(value).replace(/\?.*/s, '?…'),
  CustomHeaders: (value: unknown) => Object.keys(value as object),
}

/** Sealed values differ when a header has changed; masked ones do not. */
const comparable = (row: WebhookRow) => ({ ...webhookRecord(row), CustomHeaders: row.sealed_headers })

export const webhookChanges = (before: WebhookRow | null, after: WebhookRow | null): Omit<Act, 'action'> => ({
  subject: 'Webhook',
  subjectId: before?.id ?? after?.id ?? 0,
  before: before === null ? null : comparable(before),
  after: after === null ? null : comparable(after),
  masks,
})

export const recordWebhookAct = (
  tx: Tx,
  request: FastifyRequest,
  action: AuditAction,
  before: WebhookRow | null,
  after: WebhookRow | null,
): Promise<void> => recordAct(tx, actorOf(request), { action, ...webhookChanges(before, after) })
