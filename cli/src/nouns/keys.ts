import type { Noun } from '../command.ts'
import { givenFields, listOption, positional, requiredOption, stringOption, text } from '../options.ts'
import { UsageError } from '../usage-error.ts'

const projectIds = (items: readonly string[] | undefined): number[] | undefined =>
  items?.map((item) => {
    if (!/^[1-9]\d{0,15}$/.test(item))
      throw new UsageError(`--projects takes ids such as 1,2, not "${item}".`)
    return Number(item)
  })

export const keys: Noun = {
  summary: 'API keys for back ends',
  verbs: {
    create: {
      usage: '--label <text> [--scopes <a,b>] [--projects <1,2>] [--expires <timestamp>]',
      summary: 'Create an API key and show its token, once',
      positionals: [],
      options: { label: text, scopes: text, projects: text, expires: text },
      required: ['label'],
      run: async ({ client, output, options }) => {
        const body = givenFields({
          Label: requiredOption(options, 'label'),
          Scopes: listOption(options, 'scopes'),
          ProjectIds: projectIds(listOption(options, 'projects')),
          ExpiresAt: stringOption(options, 'expires'),
        })
        output.record(await client.apiKeys.create(body))
        output.note('Keep the token: it is not shown again.')
      },
    },
    list: {
      usage: '',
      summary: 'List API keys',
      positionals: [],
      options: {},
      run: async ({ client, output }) =>
        output.list(await client.apiKeys.list(), 'ApiKeys', [
          'Id',
          'Label',
          'Scopes',
          'ProjectIds',
          'LastFour',
          'LastUsedAt',
          'ExpiresAt',
          'RevokedAt',
        ]),
    },
    revoke: {
      usage: '<id>',
      summary: 'Revoke an API key at once',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.apiKeys.revoke(positional(context, 0))),
    },
  },
}
