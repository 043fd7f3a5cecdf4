import type { Noun } from '../command.ts'
import { eventColumns, streamVerb } from '../events/stream-verb.ts'
import { operationCommand } from '../operations/operation-command.ts'

export const events: Noun = {
  summary: 'The event log',
  verbs: {
    list: operationCommand('listEvents', { columns: eventColumns }),
    get: operationCommand('getEvent'),
    stream: streamVerb,
  },
}
