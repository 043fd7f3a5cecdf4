import type { Noun } from '../command.ts'
import {
  flagOption,
  givenFields,
  idOption,
  idPositional,
  requiredOption,
  stringOption,
  textOption,
} from '../options.ts'
import { UsageError } from '../usage-error.ts'
import { operationCommand } from '../operations/operation-command.ts'
import { deliveryVerbs } from '../webhooks/delivery-verbs.ts'
import { inspectVerb } from '../webhooks/inspect-verb.ts'
import { listenVerb } from '../webhooks/listen-verb.ts'
import { fieldOptions, fieldsOf } from '../webhooks/webhook-fields.ts'

const secretHelp =
  'at least 16 characters, or whsec_ and the base64 of at least 16 bytes; default: a random secret'

export const webhooks: Noun = {
  summary: 'Endpoints that receive events',
  verbs: {
    create: {
      operations: ['createWebhook'],
      usage:
        "--url <url> --events <a,b> [--project <id>] [--label <text>] [--secret <text>] [--header '<name>: <value>']",
      summary: 'Create a webhook and show its secret once',
      details:
        "Zoetrope posts each matching event to the URL, signed with the secret.\ndocs/verify-webhooks.md shows how to check the signature.\n\n  ./zoetrope webhooks create --url https://example.com/hook --events 'file.*,live.started'",
      positionals: [],
      options: {
        ...fieldOptions,
        project: textOption('only events of this project; default: all projects'),
        secret: textOption(secretHelp),
      },
      required: ['url', 'events'],
      run: async ({ client, output, options }) => {
        const { EventTypes = [], ...fields } = fieldsOf(options)
        const body = givenFields({
          ...fields,
          TargetURL: requiredOption(options, 'url'),
          EventTypes,
          ProjectId: idOption(options, 'project'),
          Secret: stringOption(options, 'secret'),
        })
        output.record(await client.webhooks.create(body))
        output.note('Store the secret now: it is not shown again.')
      },
    },
    list: operationCommand('listWebhooks', {
      columns: ['Id', 'Label', 'TargetURL', 'EventTypes', 'ProjectId', 'IsEnabled', 'DisabledReason'],
    }),
    get: {
      operations: ['getWebhook'],
      usage: '<id>',
      summary: 'Show a webhook',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.get(idPositional(context, 0))),
    },
    update: {
      operations: ['updateWebhook'],
      usage:
        "<id> [--url <url>] [--events <a,b>] [--project <id>|all] [--label <text>] [--header '<name>: <value>'] [--clear-headers] [--enable|--disable] [--discard]",
      summary: 'Change the given settings',
      details:
        '--header replaces all existing headers. A disabled webhook keeps its pending deliveries and sends them when\nyou enable it again; --discard cancels them instead.',
      positionals: ['id'],
      options: {
        ...fieldOptions,
        project: textOption('only events of this project, or "all"'),
        'clear-headers': flagOption('remove all custom headers'),
        enable: flagOption('enable the webhook'),
        disable: flagOption('disable the webhook and keep waiting deliveries'),
        discard: flagOption('with --enable or --disable: cancel the deliveries that wait'),
      },
      run: async (context) => {
        const { client, output, options } = context
        if (options['enable'] === true && options['disable'] === true)
          throw new UsageError('--enable and --disable cannot be combined.')
        const fields = fieldsOf(options)
        const body = givenFields({
          ...fields,
          ProjectId: stringOption(options, 'project') === 'all' ? null : idOption(options, 'project'),
          CustomHeaders: options['clear-headers'] === true ? null : fields.CustomHeaders,
          IsEnabled: options['enable'] === true ? true : options['disable'] === true ? false : undefined,
        })
        if (Object.keys(body).length === 0)
          throw new UsageError('Nothing to change. ./zoetrope help webhooks update lists the options.')
        const query = options['discard'] === true ? { discard: true } : {}
        output.record(await client.webhooks.update(idPositional(context, 0), body, {}, query))
      },
    },
    delete: {
      operations: ['deleteWebhook'],
      destroys: 'delete webhook',
      usage: '<id>',
      summary: 'Delete a webhook and cancel its pending deliveries',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.delete(idPositional(context, 0))),
    },
    'rotate-secret': {
      operations: ['rotateWebhookSecret'],
      usage: '<id> [--secret <text>]',
      summary: 'Rotate the secret; the old one stays valid for 24 hours',
      positionals: ['id'],
      options: { secret: textOption(secretHelp) },
      run: async (context) => {
        const body = givenFields({ Secret: stringOption(context.options, 'secret') })
        context.output.record(await context.client.webhooks.rotateSecret(idPositional(context, 0), body))
        context.output.note('Store the secret now: it is not shown again.')
      },
    },
    test: {
      operations: ['testWebhook'],
      usage: '<id>',
      summary: 'Send webhook.ping to a webhook',
      details:
        'Only this webhook receives it, whatever its event types. `webhooks delivery` shows the result.',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.test(idPositional(context, 0))),
    },
    ...deliveryVerbs,
    received: operationCommand('listInspectedRequests', {
      summary: 'List requests that the built-in inspector received',
      columns: ['Id', 'ReceivedAt', 'IsGenuine', 'Path'],
    }),
    listen: listenVerb,
    inspect: inspectVerb,
  },
}
