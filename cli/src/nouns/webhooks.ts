import type { Noun } from '../command.ts'
import {
  givenFields,
  idOption,
  idPositional,
  listOption,
  pageOptions,
  pageQuery,
  requiredOption,
  stringOption,
  text,
} from '../options.ts'

export const webhooks: Noun = {
  summary: 'Targets that are told when something happens',
  verbs: {
    create: {
      usage: '--url <url> --events <a,b> [--project <id>] [--label <text>] [--secret <text>]',
      summary: 'Create a webhook and show its secret, once',
      positionals: [],
      options: { url: text, events: text, project: text, label: text, secret: text },
      required: ['url', 'events'],
      run: async ({ client, output, options }) => {
        const body = givenFields({
          TargetURL: requiredOption(options, 'url'),
          EventTypes: listOption(options, 'events') ?? [],
          ProjectId: idOption(options, 'project'),
          Label: stringOption(options, 'label'),
          Secret: stringOption(options, 'secret'),
        })
        output.record(await client.webhooks.create(body))
        output.note('Keep the secret: it is not shown again.')
      },
    },
    list: {
      usage: '[--limit <n>] [--offset <n>]',
      summary: 'List webhooks',
      positionals: [],
      options: pageOptions,
      run: async ({ client, output, options }) =>
        output.list(await client.webhooks.list(pageQuery(options)), 'Webhooks', [
          'Id',
          'Label',
          'TargetURL',
          'EventTypes',
          'ProjectId',
          'IsEnabled',
        ]),
    },
    get: {
      usage: '<id>',
      summary: 'Show a webhook',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.get(idPositional(context, 0))),
    },
    delete: {
      usage: '<id>',
      summary: 'Delete a webhook and cancel what it has not got yet',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.delete(idPositional(context, 0))),
    },
    'rotate-secret': {
      usage: '<id> [--secret <text>]',
      summary: 'Replace the secret; the old one signs too for 24 hours',
      positionals: ['id'],
      options: { secret: text },
      run: async (context) => {
        const body = givenFields({ Secret: stringOption(context.options, 'secret') })
        context.output.record(await context.client.webhooks.rotateSecret(idPositional(context, 0), body))
        context.output.note('Keep the secret: it is not shown again.')
      },
    },
    test: {
      usage: '<id>',
      summary: 'Send webhook.ping to a webhook',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.test(idPositional(context, 0))),
    },
    deliveries: {
      usage: '<id> [--delivery <id>] [--limit <n>] [--offset <n>]',
      summary: 'List the deliveries of a webhook, or show one with its attempts',
      positionals: ['id'],
      options: { delivery: text, ...pageOptions },
      run: async (context) => {
        const { client, output, options } = context
        const webhookId = idPositional(context, 0)
        const deliveryId = idOption(options, 'delivery')
        if (deliveryId !== undefined)
          return output.record(await client.webhooks.delivery(webhookId, deliveryId))
        output.list(await client.webhooks.deliveries(webhookId, pageQuery(options)), 'Deliveries', [
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
    redeliver: {
      usage: '<id> <delivery id>',
      summary: 'Send a delivery again',
      positionals: ['id', 'delivery id'],
      options: {},
      run: async (context) => {
        const [webhookId, deliveryId] = [idPositional(context, 0), idPositional(context, 1)]
        context.output.record(await context.client.webhooks.redeliver(webhookId, deliveryId))
      },
    },
  },
}
