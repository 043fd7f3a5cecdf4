import type { Command } from '../command.ts'
import { givenFields, idOption, listOption, numberOption, stringOption, textOption } from '../options.ts'
import { describeEvent } from '../webhooks/describe-event.ts'
import { eventsHelp } from '../webhooks/webhook-fields.ts'

export const eventColumns = ['EventId', 'OccurredAt', 'Event', 'ProjectId', 'File.Id'] as const

export const streamVerb: Command = {
  operations: ['streamEvents'],
  usage: '[--after <event id>] [--events <a,b>] [--project <id>] [--file <id>]',
  summary: 'Stream events until Ctrl-C',
  details:
    'With --json, each line is one whole event. After a disconnect the stream resumes: no event is lost or repeated.',
  positionals: [],
  options: {
    after: textOption(
      'start after this event; 0 starts with the oldest stored event. Default: only new events',
    ),
    events: textOption(eventsHelp),
    project: textOption('only events of this project'),
    file: textOption('only events of this file'),
  },
  run: async ({ client, output, options }) => {
    const from = { from: 0, to: Number.MAX_SAFE_INTEGER, otherwise: 0 }
    const filter = givenFields({
      after: stringOption(options, 'after') === undefined ? undefined : numberOption(options, 'after', from),
      event: listOption(options, 'events')?.join(','),
      projectId: idOption(options, 'project'),
      fileId: idOption(options, 'file'),
    })
    const onBreak = () => output.warn('The event stream disconnected. Reconnecting.')
    for await (const event of client.events.stream({ ...filter, onBreak }))
      output.entry({ ...event }, describeEvent(event))
  },
}
