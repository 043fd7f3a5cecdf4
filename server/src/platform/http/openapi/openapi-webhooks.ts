import {
  eventNames,
  familyOf,
  isOptInEvent,
  recordFields,
  type EventFamily,
  type EventName,
  type RecordField,
} from '@zoetrope/vocabulary'
import { exampleRecordOf } from './openapi-event-examples.ts'

/** Events carry playlists without their elements. */
const schemaOf = (field: RecordField): string => (field === 'Playlist' ? 'PlaylistSummary' : field)

const meanings: Record<EventName, string> = {
  'file.new': 'A new file is uploaded and encoded. Sent once per file.',
  'file.created': 'A file record was created. Its bytes are not uploaded yet.',
  'file.uploaded': 'All bytes of a file are stored and contain video or audio.',
  'file.encoding': 'Encoding has started.',
  'file.playable': 'The file can be played. Encoding may continue.',
  'file.encoded':
    'Encoding after the upload is complete. Other renditions are encoded when viewers request them.',
  'file.failed': 'Processing ended with an error: the file cannot be played, or some renditions are missing.',
  'file.updated': 'Metadata, pictures, captions or settings of a file were changed.',
  'file.released':
    'Viewers can now watch the file: it is published, playable and within its publication window.',
  'file.unreleased':
    'Viewers can no longer watch the file: it was unpublished or deleted, or its publication window ended.',
  'file.replaced': 'The media of a file was replaced.',
  'file.deleted': 'A file was deleted. It can be restored until `PurgeAt`.',
  'file.restored': 'A deleted file was restored.',
  'file.moved':
    'A file was moved to another project. Sent for both projects; `File.ProjectId` is the new one.',
  'live.connected': 'An encoder was accepted. Viewers cannot watch yet.',
  'live.started': 'A broadcast is on air: viewers can watch it.',
  'live.warning': 'There is a problem with the incoming stream. `Live.Warning` describes it.',
  'live.disconnected': 'The encoder disconnected. It can continue the broadcast within `ReconnectWindow`.',
  'live.reconnected': 'The encoder reconnected, and the broadcast continues.',
  'live.ended': 'A broadcast ended. `Live.Broadcast.EndReason` says why.',
  'live.failed': 'An encoder connected, but its stream cannot be shown. `Live.Failure` says why.',
  'live.publisher_refused':
    'A second encoder was refused during a broadcast. The broadcast is not affected. `Live.Failure` says why.',
  'recording.started':
    'A recording started. `Live.Recording` describes it. Clips send only `recording.finished`.',
  'recording.finished':
    'A recording or clip ended. `Live.Recording.FileId` is its file, or `Live.Recording.Message` says why there is none.',
  'playlist.new': 'A playlist was created.',
  'playlist.updated': 'A playlist was changed.',
  'playlist.deleted': 'A playlist was deleted.',
  'playlist.restored': 'A deleted playlist was restored.',
  'project.new': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.deleted': 'A project was deleted with all its files.',
  'project.restored': 'A deleted project was restored, with all files that were deleted with it.',
  'view.ended':
    'A viewer ended a view, or has not reported for ten minutes. Sent only to webhooks that name this event.',
  'analytics.alert':
    'The condition of an alert rule begins or ends. `Alert.State` is `firing` or `resolved`.',
  'webhook.ping': 'A test event, sent when you test a webhook.',
}

const parameter = (
  place: 'query' | 'header',
  name: string,
  description: string,
  schema: object,
  required = true,
) => ({ name, in: place, required, description, schema })

const id = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

const headers = [
  parameter(
    'header',
    'webhook-id',
    'Identifier of the delivery, the same for all attempts. Ignore requests with an identifier that you have processed.',
    {
      type: 'string',
      maxLength: 60,
      examples: ['evt_17_2'],
    },
  ),
  parameter(
    'header',
    'webhook-timestamp',
    'Time of the attempt in Unix seconds. Refuse requests older than five minutes.',
    {
      type: 'string',
      maxLength: 20,
      pattern: '^[0-9]+$',
      examples: ['1772366400'],
    },
  ),
  parameter(
    'header',
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of "id.timestamp.body", keyed with the secret of the webhook. Two signatures, separated by a space, while a secret is rotated. Any Standard Webhooks library verifies it.',
    { type: 'string', maxLength: 500, examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ),
]

interface Schemas {
  readonly [name: string]: { readonly examples?: readonly Readonly<Record<string, unknown>>[] } | undefined
}

/** Whether events of these families have a `FileId`. */
const fileOf: Partial<Record<EventFamily, 'always' | 'sometimes'>> = {
  file: 'always',
  view: 'sometimes',
  analytics: 'sometimes',
}

const receiversOf = (name: EventName, family: EventFamily): string => {
  if (name === 'webhook.ping') return 'Sent to one webhook by its test operation, whatever its event types.'
  const subscriptions = isOptInEvent(name) ? `\`${name}\` by name` : `\`${name}\`, \`${family}.*\` or \`*\``
  return `Sent to each webhook that subscribes to ${subscriptions}.`
}

const describeEvent = (name: EventName, schemas: Schemas): object | undefined => {
  const family = familyOf(name)
  const field = recordFields[family]
  const schema = schemas[schemaOf(field)]
  if (schema === undefined) return undefined
  const hasFile = fileOf[family]
  const record = exampleRecordOf(name, schema.examples)
  const example = {
    Event: name,
    EventId: 17,
    OccurredAt: '2026-03-01T12:00:00.000+00:00',
    Sequence: 4,
    ProjectId: 3,
    [field]: record,
  }
  return {
    post: {
      operationId: `on${name.replaceAll(/(?:^|\.)[a-z]/g, (part) => part.replace('.', '').toUpperCase())}`,
      tags: ['Webhooks'],
      summary: meanings[name],
      description: `${receiversOf(name, family)} The body contains the record at the time of the event.`,
      security: [],
      parameters: [
        parameter(
          'query',
          'ProjectId',
          '`ProjectId` of the event. Absent if it belongs to no project.',
          id,
          false,
        ),
        ...(hasFile === undefined
          ? []
          : [parameter('query', 'FileId', '`Id` of the file.', id, hasFile === 'always')]),
        parameter('query', 'event', 'Name of the event.', { type: 'string', const: name }),
        ...headers,
      ],
      requestBody: {
        required: true,
        description: 'A JSON array. It contains one event.',
        content: {
          'application/json': {
            schema: {
              type: 'array',
              minItems: 1,
              maxItems: 100,
              items: {
                allOf: [
                  { $ref: '#/components/schemas/Event' },
                  {
                    type: 'object',
                    required: [field],
                    properties: { Event: { type: 'string', const: name } },
                  },
                ],
              },
            },
            ...(record === undefined ? {} : { example: [example] }),
          },
        },
      },
      responses: {
        '200': {
          description:
            'Any 2xx within 15 seconds confirms the delivery. Zoetrope stores the response body, but does not interpret it.',
        },
        '410': { description: 'Zoetrope disables the webhook.' },
        '500': {
          description:
            'Any other response, including a redirect, is a failed attempt. Zoetrope retries after 5 s, 30 s, 2 min, 5 min, 30 min and so on, for three days, and respects `Retry-After`.',
        },
      },
    },
  }
}

export const describeWebhooks = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(
    eventNames.flatMap((name) => {
      const described = describeEvent(name, schemas)
      return described === undefined ? [] : [[name, described]]
    }),
  )
