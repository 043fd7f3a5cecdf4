import type { Noun } from '../command.ts'
import {
  flag,
  givenFields,
  idPositional,
  pageOptions,
  pageQuery,
  requiredOption,
  stringOption,
  text,
} from '../options.ts'

export const projects: Noun = {
  summary: 'Folders of media with settings of their own',
  verbs: {
    create: {
      usage: '--name <text> [--description <text>]',
      summary: 'Create a project',
      positionals: [],
      options: { name: text, description: text },
      required: ['name'],
      run: async ({ client, output, options }) => {
        const body = givenFields({
          Name: requiredOption(options, 'name'),
          Description: stringOption(options, 'description'),
        })
        output.record(await client.projects.create(body))
      },
    },
    list: {
      usage: '[--limit <n>] [--offset <n>]',
      summary: 'List projects',
      positionals: [],
      options: pageOptions,
      run: async ({ client, output, options }) =>
        output.list(await client.projects.list(pageQuery(options)), 'Projects', [
          'Id',
          'Name',
          'FileCount',
          'StorageBytes',
          'CreatedAt',
        ]),
    },
    get: {
      usage: '<id>',
      summary: 'Show a project',
      positionals: ['id'],
      options: {},
      run: async (context) =>
        context.output.record(await context.client.projects.get(idPositional(context, 0))),
    },
    delete: {
      usage: '<id> [--cascade]',
      summary: 'Delete a project; with --cascade its files too',
      positionals: ['id'],
      options: { cascade: flag },
      run: async (context) => {
        const query = context.options['cascade'] === true ? { cascade: true } : {}
        context.output.record(await context.client.projects.delete(idPositional(context, 0), query))
      },
    },
  },
}
