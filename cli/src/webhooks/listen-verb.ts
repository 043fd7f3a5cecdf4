import type { Zoetrope, WebhookEvent } from '@zoetrope/sdk'
import { buildRequest, generateSecret, isUsableSecret } from '@zoetrope/webhook-signature'
import type { Command, CommandContext, OptionValues } from '../command.ts'
import { givenFields, idOption, listOption, numberOption, stringOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import { describeEvent } from './describe-event.ts'
import { postRequest } from './post-request.ts'
import { eventsHelp } from './webhook-fields.ts'

/** Stands for the id of a webhook, which does not exist. */
const noWebhook = 0

const forwardTarget = (options: OptionValues): string | null => {
  const url = stringOption(options, 'forward-to')
  if (url === undefined) return null
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--forward-to must be a URL such as http://localhost:3000/hook, not "${url}".`)
  return url
}

export const secretOption = (options: OptionValues): string | undefined => {
  const secret = stringOption(options, 'secret')
  if (secret !== undefined && !isUsableSecret(secret))
    throw new UsageError('--secret must have 16 characters, or be whsec_ and the base64 of 16 bytes.')
  return secret
}

/** Starts after the newest event, so that events during the connection are included. */
const startOf = async (
  client: Zoetrope,
  filter: { readonly event?: string; readonly projectId?: number },
): Promise<number> => {
  const query = givenFields({ limit: 1, event: filter.event, projectId: filter.projectId?.toString() })
  const { Events } = await client.events.list(query)
  return Events[0]?.EventId ?? 0
}

const forward = async (event: WebhookEvent, targetUrl: string, secret: string) => {
  const request = buildRequest({
    targetUrl,
    query: { ProjectId: event.ProjectId, FileId: event.File?.Id ?? null, event: event.Event },
    id: `evt_${event.EventId}_${noWebhook}`,
    body: Buffer.from(JSON.stringify([event])),
    secrets: [secret],
    now: new Date(),
  })
  return postRequest(request)
}

const listen = async ({ client, output, options }: CommandContext): Promise<void> => {
  const targetUrl = forwardTarget(options)
  const secret = secretOption(options) ?? generateSecret()
  const filter = givenFields({
    event: listOption(options, 'events')?.join(','),
    projectId: idOption(options, 'project'),
  })
  const after =
    stringOption(options, 'after') === undefined
      ? await startOf(client, filter)
      : numberOption(options, 'after', { from: 0, to: Number.MAX_SAFE_INTEGER, otherwise: 0 })
  if (targetUrl === null) output.note(`Listening for events after ${after}. Press Ctrl-C to stop.`)
  else
    output.entry(
      { Secret: secret, After: after, ForwardTo: targetUrl },
      `Secret ${secret}\nForwarding events after ${after} to ${targetUrl}. Press Ctrl-C to stop.`,
    )
  const onBreak = () => output.warn('The event stream disconnected. Reconnecting.')
  for await (const event of client.events.stream({ ...filter, after, onBreak })) {
    if (targetUrl === null) {
      output.entry({ ...event }, describeEvent(event))
      continue
    }
    const { status, error, durationMs } = await forward(event, targetUrl, secret)
    output.entry(
      { EventId: event.EventId, Event: event.Event, Status: status, Error: error, DurationMs: durationMs },
      `${describeEvent(event)}  ${status ?? error}  ${durationMs} ms`,
    )
  }
}

export const listenVerb: Command = {
  operations: ['streamEvents', 'listEvents'],
  usage: '[--forward-to <url>] [--project <id>] [--events <a,b>] [--secret <text>] [--after <event id>]',
  summary: 'Stream events and forward them to a receiver on this machine',
  details: `For development, when Zoetrope cannot reach your receiver; no webhook is needed. Each event is posted
to the URL as a webhook would get it, with the same query, headers and body, signed with the secret that
is shown first. Each event prints one line with the response status. Requests are sent one at a time in
the order of the events and are not retried; --after sends events again. After a disconnect the stream
resumes: no event is lost or sent twice.

  ./zoetrope webhooks listen --forward-to http://localhost:3000/hook --events 'file.*'

Without --forward-to, events are only shown. With --json, each line is one whole event.`,
  positionals: [],
  options: {
    'forward-to': textOption('where your receiver is, such as http://localhost:3000/hook'),
    project: textOption('only events of this project'),
    events: textOption(eventsHelp),
    secret: textOption('signing secret; pass the same one again to keep your receiver unchanged'),
    after: textOption(
      'start after this event; 0 starts with the oldest stored event. Default: only new events',
    ),
  },
  run: listen,
}
