import { Type } from 'typebox'
import { described, idSchema, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import type { InspectedRequestRow } from './inspected-requests.ts'

export const inspectedRequestSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the request.'),
    ReceivedAt: described(timestampSchema, 'Time at which the request arrived.'),
    Path: Type.String({
      description: 'Path and query of the request.',
      examples: ['/inspector?ProjectId=3&FileId=5&event=file.new'],
    }),
    Headers: Type.Record(Type.String(), Type.String(), { description: 'Headers of the request.' }),
    Body: Type.String({ description: 'Body of the request, byte for byte. The signature covers it.' }),
    IsGenuine: Type.Boolean({ description: 'Whether the signature is valid.' }),
  },
  {
    description: 'A request that a webhook sent to the built-in inspector.',
    examples: [
      {
        Id: 9,
        ReceivedAt: '2026-03-01T12:00:00.214+00:00',
        Path: '/inspector?ProjectId=3&FileId=5&event=file.new',
        Headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Zoetrope-Webhooks/1',
          'webhook-id': 'evt_17_2',
          'webhook-timestamp': '1772366400',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        Body: '[{"Event":"file.new","EventId":17,"ProjectId":3,"File":{"Id":5}}]',
        IsGenuine: true,
      },
    ],
  },
)

export const inspectedRequestRecord = (row: InspectedRequestRow) => ({
  Id: row.id,
  ReceivedAt: toTimestamp(row.received_at),
  Path: row.path,
  Headers: row.headers,
  Body: row.body,
  IsGenuine: row.is_genuine,
})
