import { Type, type Static, type TObject } from 'typebox'
import { idListText, instantText } from '../../../platform/http/openapi/openapi-query.ts'
import {
  parseIdList,
  parseInstantParameter,
  parseOneOfList,
} from '../../../platform/http/requests/query-values.ts'
import { parseEventNames } from '../../../platform/outbox/parse-event-names.ts'
import { deliveryStates, type DeliveryRow } from './delivery-record.ts'

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

export const deliveryFilterQuery = {
  status: text(
    200,
    `Deliveries with any of these statuses: ${deliveryStates.join(', ')}. Comma-separated list.`,
    'failed',
  ),
  event: text(
    1_000,
    'Deliveries of any of these events or families such as `file.*`. Comma-separated list.',
    'file.new',
  ),
  fileId: Type.Optional(
    idListText('Deliveries of events of any of these files. Comma-separated list of Ids.', {
      maxLength: 1_000,
      example: 5,
    }),
  ),
  createdFrom: Type.Optional(instantText('At or after this time.')),
  createdTo: Type.Optional(instantText('At or before this time.', '2026-03-02T12:00:00+00:00')),
}

type DeliveryFilterQuery = Static<TObject<typeof deliveryFilterQuery>>

export interface DeliveryFilter {
  readonly states: readonly DeliveryRow['state'][] | null
  readonly eventNames: readonly string[] | null
  readonly fileIds: readonly number[] | null
  readonly createdFrom: Date | null
  readonly createdTo: Date | null
}

/** Throws 'invalid' with the name of the parameter. */
export const parseDeliveryFilter = ({
  status,
  event,
  fileId,
  createdFrom,
  createdTo,
}: DeliveryFilterQuery): DeliveryFilter => ({
  states: status === undefined ? null : parseOneOfList(status, 'status', deliveryStates),
  eventNames: event === undefined ? null : parseEventNames(event),
  fileIds: fileId === undefined ? null : parseIdList(fileId, 'fileId'),
  createdFrom: createdFrom === undefined ? null : parseInstantParameter(createdFrom, 'createdFrom'),
  createdTo: createdTo === undefined ? null : parseInstantParameter(createdTo, 'createdTo'),
})
