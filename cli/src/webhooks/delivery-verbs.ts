import { setTimeout as delay } from 'node:timers/promises'
import type { Command, CommandContext } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'
import {
  flagOption,
  givenFields,
  idOption,
  idPositional,
  listOption,
  requiredOption,
  stringOption,
  textOption,
} from '../options.ts'
import { eventsHelp } from './webhook-fields.ts'

const pollMs = 500

const untilReplayed = async ({ client, output }: CommandContext, webhookId: number, replayId: number) => {
  for (;;) {
    const replay = await client.webhooks.getReplay(webhookId, replayId)
    if (replay.Status !== 'running') {
      output.progress('')
      return replay
    }
    output.progress(`${replay.DeliveryCount} of ${replay.EventCount} events`)
    await delay(pollMs)
  }
}

const attemptColumns = ['Number', 'StartedAt', 'DurationMs', 'StatusCode', 'Error', 'ResponseExcerpt']
const hourColumns = ['Hour', 'DeliveredCount', 'FailedCount', 'LatencyP50Ms', 'LatencyP95Ms']

export const deliveryVerbs: Readonly<Record<string, Command>> = {
  deliveries: operationCommand('listDeliveries', {
    summary: 'List deliveries of a webhook',
    details:
      'Newest first, each with the result of its last attempt. Filters combine.\n\n  ./zoetrope webhooks deliveries 2 --status failed,waiting --from 2026-03-01T12:00:00Z',
    flags: { event: 'events', createdFrom: 'from', createdTo: 'to' },
    columns: ['Id', 'Event', 'FileId', 'Status', 'AttemptCount', 'LastStatusCode', 'LastError', 'CreatedAt'],
  }),
  delivery: {
    operations: ['getDelivery'],
    usage: '<id> <delivery id>',
    summary: 'Show a delivery with all its attempts',
    details: 'Each attempt with status and duration, and with --json the first 4 KiB of the response.',
    positionals: ['id', 'delivery id'],
    options: {},
    run: async (context) => {
      const delivery = await context.client.webhooks.delivery(
        idPositional(context, 0),
        idPositional(context, 1),
      )
      context.output.recordWithList(delivery, 'Attempts', attemptColumns)
    },
  },
  redeliver: {
    operations: ['redeliver'],
    usage: '<id> <delivery id>',
    summary: 'Send a delivery again',
    details:
      'It keeps its webhook-id, so that receivers can ignore duplicates. A pending delivery is sent at once.',
    positionals: ['id', 'delivery id'],
    options: {},
    run: async (context) =>
      context.output.record(
        await context.client.webhooks.redeliver(idPositional(context, 0), idPositional(context, 1)),
      ),
  },
  replay: {
    operations: ['replayEvents'],
    usage: '<id> --from <time> [--to <time>] [--events <a,b>] [--project <id>] [--wait]',
    summary: 'Replay events',
    details:
      'Use it after an outage of your system, or to feed a new system with earlier events. Each event that matches\nthe webhook gets a new delivery, in order. It keeps its webhook-id, so receivers that ignore duplicates\nprocess only new events.\n\n  ./zoetrope webhooks replay 2 --from 2026-03-01T08:00:00Z --to 2026-03-01T12:00:00Z --wait',
    positionals: ['id'],
    options: {
      from: textOption('events at or after this time, such as 2026-03-01T08:00:00Z'),
      to: textOption('events at or before this time; default: now'),
      events: textOption(`only these event types of the webhook: ${eventsHelp}`),
      project: textOption('only events of this project'),
      wait: flagOption('wait until all deliveries are created; they are sent like any other'),
    },
    required: ['from'],
    run: async (context) => {
      const { client, output, options } = context
      const webhookId = idPositional(context, 0)
      const body = givenFields({
        From: requiredOption(options, 'from'),
        To: stringOption(options, 'to'),
        Events: listOption(options, 'events'),
        ProjectId: idOption(options, 'project'),
      })
      const replay = await client.webhooks.replay(webhookId, body)
      output.record(options['wait'] === true ? await untilReplayed(context, webhookId, replay.Id) : replay)
    },
  },
  'replay-status': {
    operations: ['getReplay'],
    usage: '<id> <replay id>',
    summary: 'Show the progress of a replay',
    positionals: ['id', 'replay id'],
    options: {},
    run: async (context) =>
      context.output.record(
        await context.client.webhooks.getReplay(idPositional(context, 0), idPositional(context, 1)),
      ),
  },
  health: {
    operations: ['getWebhookHealth'],
    usage: '<id>',
    summary: 'Show the health of the endpoint and its pending deliveries',
    details:
      'ok: the last request succeeded. failing: it failed. paused: after ten failures in a row, nothing is sent\nuntil PausedUntil. held: paused until the identity provider works; see HeldReason. disabled: by you, or by\nZoetrope for DisabledReason. `webhooks update <id> --enable` sends deliveries again.',
    positionals: ['id'],
    options: {},
    run: async (context) =>
      context.output.record(await context.client.webhooks.health(idPositional(context, 0))),
  },
  hours: {
    operations: ['getWebhookHours'],
    usage: '<id>',
    summary: 'Show the health of the endpoint by hour, for the last 48 hours',
    details:
      'Successful and failed requests, and the median (P50) and 95th percentile (P95) of the response time in\nmilliseconds.',
    positionals: ['id'],
    options: {},
    run: async (context) =>
      context.output.recordWithList(
        await context.client.webhooks.hours(idPositional(context, 0)),
        'Hours',
        hourColumns,
      ),
  },
}
