import type { Noun } from '../command.ts'
import {
  flagOption,
  givenFields,
  idOption,
  idPositional,
  pageOptions,
  pageQuery,
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
  'at least 16 characters, or whsec_ and the base64 of at least 16 bytes; made up if left out'

export const webhooks: Noun = {
  summary: 'Targets that are told when something happens',
  verbs: {
    create: {
      operations: ['createWebhook'],
      usage:
        "--url <url> --events <a,b> [--project <id>] [--label <text>] [--secret <text>] [--header '<name>: <value>']",
      summary: 'Create a webhook and show its secret, once',
      details:
        "From now on each event that matches is posted to the URL, signed with the secret.\ndocs/verify-webhooks.md shows how to check the signature.\n\n  ./zoetrope webhooks create --url https://example.com/hook --events 'file.*,live.started'",
      positionals: [],
      options: {
        ...fieldOptions,
        project: textOption('only events of this project; left out: of all of them'),
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
        output.note('Keep the secret: it is not shown again.')
      },
    },
    list: {
      operations: ['listWebhooks'],
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
          'DisabledReason',
        ]),
    },
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
      summary: 'Change what is given, and leave the rest',
      details:
        'Headers that are given replace all former ones. A disabled webhook keeps the deliveries that wait, and sends\nthem when it is enabled again; --discard cancels them instead.',
      positionals: ['id'],
      options: {
        ...fieldOptions,
        project: textOption('only events of this project; all: of all of them'),
        'clear-headers': flagOption('send no headers along any more'),
        enable: flagOption('send again'),
        disable: flagOption('send nothing, and keep what waits'),
        discard: flagOption('with --enable or --disable: cancel the deliveries that wait'),
      },
      run: async (context) => {
        const { client, output, options } = context
        if (options['enable'] === true && options['disable'] === true)
          throw new UsageError('--enable and --disable exclude each other.')
        const fields = fieldsOf(options)
        const body = givenFields({
          ...fields,
          ProjectId: stringOption(options, 'project') === 'all' ? null : idOption(options, 'project'),
          CustomHeaders: options['clear-headers'] === true ? null : fields.CustomHeaders,
          IsEnabled: options['enable'] === true ? true : options['disable'] === true ? false : undefined,
        })
        if (Object.keys(body).length === 0)
          throw new UsageError(
            'There is nothing to change: ./zoetrope help webhooks update shows what can be.',
          )
        const query = options['discard'] === true ? { discard: true } : {}
        output.record(await client.webhooks.update(idPositional(context, 0), body, {}, query))
      },
    },
    delete: {
      operations: ['deleteWebhook'],
      destroys: 'delete webhook',
      usage: '<id>',
      summary: 'Delete a webhook and cancel what it has not got yet',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.delete(idPositional(context, 0))),
    },
    'rotate-secret': {
      operations: ['rotateWebhookSecret'],
      usage: '<id> [--secret <text>]',
      summary: 'Replace the secret; the old one signs too for 24 hours',
      positionals: ['id'],
      options: { secret: textOption(secretHelp) },
      run: async (context) => {
        const body = givenFields({ Secret: stringOption(context.options, 'secret') })
        context.output.record(await context.client.webhooks.rotateSecret(idPositional(context, 0), body))
        context.output.note('Keep the secret: it is not shown again.')
      },
    },
    test: {
      operations: ['testWebhook'],
      usage: '<id>',
      summary: 'Send webhook.ping to a webhook',
      details:
        'It goes to this webhook alone, whatever it subscribes to. `webhooks delivery` shows what came of it.',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.webhooks.test(idPositional(context, 0))),
    },
    ...deliveryVerbs,
    received: operationCommand('listInspectedRequests', {
      summary: 'List what the built-in inspector received',
      columns: ['Id', 'ReceivedAt', 'IsGenuine', 'Path'],
    }),
    listen: listenVerb,
    inspect: inspectVerb,
  },
}
