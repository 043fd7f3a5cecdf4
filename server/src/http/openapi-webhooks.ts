import { eventNames, type EventName } from '../kernel/events/domain-event.ts'
import { exampleRecordOf } from './openapi-event-examples.ts'

/** Field and schema of the record, by event family. */
const subjects: Readonly<Record<string, { readonly field: string; readonly schema: string }>> = {
  file: { field: 'File', schema: 'File' },
  project: { field: 'Project', schema: 'Project' },
  playlist: { field: 'Playlist', schema: 'PlaylistSummary' },
  live: { field: 'Live', schema: 'Live' },
  recording: { field: 'Live', schema: 'Live' },
  webhook: { field: 'Webhook', schema: 'Webhook' },
}

const meanings: Partial<Record<EventName, string>> = {
  'file.new': 'A new file is there: uploaded and encoded. Sent once in the life of a file.',
  'file.created': 'The record of a file was made; its bytes are still missing.',
  'file.uploaded': 'All bytes of a file have arrived and were found to be video or audio.',
  'file.encoding': 'Encoding has begun.',
  'file.playable': 'Something of the file can be played; better renditions follow.',
  'file.encoded': 'All renditions are done.',
  'file.failed': 'Processing has ended with an error: nothing can be played, or some renditions are missing.',
  'file.updated': 'Metadata, pictures, captions or settings of a file were changed.',
  'file.released':
    'Viewers can load the file from now on: it is published, inside its publication window and playable.',
  'file.unreleased':
    'Viewers can no longer load the file: it was taken back or deleted, or its publication window has ended.',
  'file.replaced': 'New media took the place of the old.',
  'file.deleted': 'A file was deleted; it can be restored for a while.',
  'file.restored': 'A deleted file is back.',
  'live.connected': 'A publisher was accepted; there is nothing to see yet.',
  'live.started': 'A broadcast is on the air: viewers can see it.',
  'live.warning': 'Something is wrong with what the publisher sends; `Live.Warning` says what.',
  'live.disconnected': 'The publisher was lost; the broadcast waits for it for the time of ReconnectWindow.',
  'live.reconnected': 'The publisher is back; the same broadcast goes on.',
  'live.ended': 'A broadcast is over; `Live.Broadcast` says why.',
  'live.failed': 'A publisher connected, but nothing could be shown; `Live.Failure` says why.',
  'live.publisher_refused':
    'Another publisher was refused while a broadcast continues; the broadcast is not affected. `Live.Failure` says why.',
  'recording.started':
    'A recording has begun; `Live.Recording` describes it. Clips send only `recording.finished`.',
  'recording.finished':
    'A recording or a clip is over: `Live.Recording.FileId` is its file, or `Live.Recording.Message` says why there is none.',
  'playlist.new': 'A playlist was created.',
  'playlist.updated': 'A playlist was changed.',
  'playlist.deleted': 'A playlist was deleted.',
  'playlist.restored': 'A deleted playlist is back.',
  'project.new': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.deleted': 'A project was deleted, with all that was in it.',
  'project.restored': 'A deleted project is back, with all files that were deleted with it.',
  'webhook.ping': 'A test that somebody asked for; it says nothing.',
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
  parameter('header', 'webhook-id', 'The same over all attempts: drop what you have seen.', {
    type: 'string',
    maxLength: 60,
    examples: ['evt_17_2'],
  }),
  parameter(
    'header',
    'webhook-timestamp',
    'Unix seconds of this attempt: refuse what is older than five minutes.',
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
    '`v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it.',
    { type: 'string', maxLength: 500, examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ),
]

interface Schemas {
  readonly [name: string]: { readonly examples?: readonly Readonly<Record<string, unknown>>[] } | undefined
}

const describeEvent = (name: EventName, schemas: Schemas): object | undefined => {
  const [family = ''] = name.split('.')
  const subject = subjects[family]
  const meaning = meanings[name]
  if (subject === undefined || meaning === undefined || schemas[subject.schema] === undefined)
    return undefined
  const hasFile = family === 'file'
  const record = exampleRecordOf(name, schemas[subject.schema]?.examples)
  const example = {
    Event: name,
    EventId: 17,
    OccurredAt: '2026-03-01T12:00:00.000+00:00',
    Sequence: 4,
    ProjectId: 3,
    [subject.field]: record,
  }
  return {
    post: {
      operationId: `on${name.replaceAll(/(?:^|\.)[a-z]/g, (part) => part.replace('.', '').toUpperCase())}`,
      tags: ['Webhooks'],
      summary: meaning,
      description: `Sent to each webhook that subscribes to \`${name}\`, \`${family}.*\` or \`*\`. The record is the one at the time of the event.`,
      security: [],
      parameters: [
        parameter('query', 'ProjectId', 'As in the body; left out where there is none.', id, false),
        ...(hasFile ? [parameter('query', 'FileId', 'The Id of the file in the body.', id)] : []),
        parameter('query', 'event', 'The name of the event.', { type: 'string', const: name }),
        ...headers,
      ],
      requestBody: {
        required: true,
        description: 'A JSON array of events; there is one in it unless said otherwise.',
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
                    required: [subject.field],
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
          description: 'Any 2xx within 15 s: received. What the body says is kept for you to read, no more.',
        },
        '410': { description: 'The webhook is not wanted any more: it is disabled.' },
        '500': {
          description:
            'Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured.',
        },
      },
    },
  }
}

/** Returns the `webhooks` section of the document, with one entry for each event. */
export const describeWebhooks = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(
    eventNames.flatMap((name) => {
      const described = describeEvent(name, schemas)
      return described === undefined ? [] : [[name, described]]
    }),
  )
