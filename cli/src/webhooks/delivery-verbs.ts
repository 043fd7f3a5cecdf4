import { setTimeout as delay } from 'node:timers/promises'
import type { Command, CommandContext } from '../command.ts'
import {
  flagOption,
  givenFields,
  idOption,
  idPositional,
  listOption,
  pageOptions,
  pageQuery,
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
  deliveries: {
    operations: ['listDeliveries'],
    usage:
      '<id> [--status <a,b>] [--events <a,b>] [--file <id>] [--from <time>] [--to <time>] [--limit <n>] [--offset <n>]',
    summary: 'List what was sent to a webhook, or is to be',
    details:
      'Newest first, each with what its last attempt came to. Every filter narrows the list further.\n\n  ./zoetrope webhooks deliveries 2 --status failed,waiting --from 2026-03-01T12:00:00Z',
    positionals: ['id'],
    options: {
      status: textOption('pending, waiting, delivered, failed, cancelled; with commas between them'),
      events: textOption(eventsHelp),
      file: textOption('only events of this file'),
      from: textOption('made at this time or later, such as 2026-03-01T12:00:00Z'),
      to: textOption('made at this time or before'),
      ...pageOptions,
    },
    run: async (context) => {
      const { client, output, options } = context
      const query = givenFields({
        ...pageQuery(options),
        status: stringOption(options, 'status'),
        event: stringOption(options, 'events'),
        fileId: idOption(options, 'file')?.toString(),
        createdFrom: stringOption(options, 'from'),
        createdTo: stringOption(options, 'to'),
      })
      output.list(await client.webhooks.deliveries(idPositional(context, 0), query), 'Deliveries', [
        'Id',
        'Event',
        'FileId',
        'Status',
        'AttemptCount',
        'LastStatusCode',
        'LastError',
        'CreatedAt',
      ])
    },
  },
  delivery: {
    operations: ['getDelivery'],
    usage: '<id> <delivery id>',
    summary: 'Show a delivery with all its attempts',
    details: 'Each attempt with its status, how long it took, and with --json the first 4 KiB of the answer.',
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
    summary: 'Retry a delivery',
    details: 'With the same webhook-id, by which receivers drop repeats. One that waits is brought forward.',
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
      'After an outage of your side, or for a new system that wants to know what happened before. Each event\nthat this webhook wants gets a new delivery, in order, with the webhook-id of the first one: receivers\nthat drop repeats take only what they have not seen.\n\n  ./zoetrope webhooks replay 2 --from 2026-03-01T08:00:00Z --to 2026-03-01T12:00:00Z --wait',
    positionals: ['id'],
    options: {
      from: textOption('events of this time or later, such as 2026-03-01T08:00:00Z'),
      to: textOption('events of this time or earlier; default: now'),
      events: textOption(`only these of what the webhook wants: ${eventsHelp}`),
      project: textOption('only events of this project'),
      wait: flagOption('until all deliveries are made; they are sent like any other'),
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
    summary: 'Show how far a replay is',
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
    summary: 'Show how the endpoint answers, and what waits for it',
    details:
      'ok: the last request succeeded; failing: it did not; paused: after ten failures in a row nothing is\nsent until PausedUntil; held: for the identity provider, see HeldReason; disabled:\nby you, or by Zoetrope for DisabledReason. `webhooks update <id> --enable` takes it up\nagain.',
    positionals: ['id'],
    options: {},
    run: async (context) =>
      context.output.record(await context.client.webhooks.health(idPositional(context, 0))),
  },
  hours: {
    operations: ['getWebhookHours'],
    usage: '<id>',
    summary: 'Show how the endpoint answered in each of the last 48 hours',
    details:
      'Requests that were delivered and that failed, and how many milliseconds half of the answered ones (P50)\nand all but one in twenty (P95) took.',
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
