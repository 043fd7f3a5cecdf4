import type { OperationId } from '@zoetrope/sdk'
import type { Command, CommandContext, CommandOption } from '../command.ts'
import { operations } from '../generated/operations.ts'
import { flagOption, requiredIdOption, severalOption, stringOption, textOption, toId } from '../options.ts'
import type { ApiRecord } from '../output/output.ts'
import { UsageError } from '../usage-error.ts'
import { flagName } from './flag-name.ts'
import type { Field, Operation } from './operation.ts'
import { readBody } from './read-body.ts'
import { readColumns } from './read-columns.ts'
import { fileBody, type FileUse } from './read-file-option.ts'
import { walkPages } from './walk-pages.ts'

export interface OperationExtra {
  readonly summary?: string
  readonly details?: string
  readonly columns?: readonly string[]
  readonly destroys?: string
  readonly note?: string
  /** The project is the subject of the verb, not its location. */
  readonly isOfProjects?: boolean
  readonly flags?: Readonly<Record<string, string>>
  readonly file?: FileUse
}

/** Query parameters of lists, which have their own options. */
const pageQuery = new Set(['limit', 'offset', 'cursor'])

const isFlag = ({ type }: Field): boolean => type !== 'json'

const helpOf = ({ help = '', values }: Field): string => {
  const choice = values === undefined ? '' : values.join(', ')
  return [help, choice].filter((part) => part !== '').join(': ')
}

const optionOf = (field: Field): CommandOption => {
  const help = helpOf(field)
  const option = field.type === 'boolean' ? flagOption(help) : textOption(help)
  return field.values === undefined ? option : { ...option, values: field.values }
}

/** A query has an object only for a family of parameters, such as `customMetadata.<key>`. */
const queryOptionOf = (field: Field): CommandOption =>
  isFlag(field)
    ? optionOf(field)
    : { ...optionOf({ ...field, help: `key=value, repeatable. ${field.help ?? ''}` }), multiple: true }

interface Flags {
  readonly body: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

const flagsOf = (operation: Operation, names: Readonly<Record<string, string>>): Flags => {
  const flagOf = (name: string): string => names[name] ?? flagName(name)
  const body = Object.entries(operation.body)
    .filter(([name, field]) => !name.includes('.') && isFlag(field))
    .map(([name]) => [flagOf(name), name] as const)
  const taken = new Set(body.map(([flag]) => flag))
  const query = Object.keys(operation.query)
    .filter((name) => (operation.listKey === null || !pageQuery.has(name)) && !taken.has(flagOf(name)))
    .map((name) => [flagOf(name), name] as const)
  return { body: Object.fromEntries(body), query: Object.fromEntries(query) }
}

const pageOptions = {
  limit: textOption('number of records, 1 to 500; default 50'),
  offset: textOption('number of records to skip'),
  all: flagOption('all records, from as many pages as needed'),
  columns: textOption('columns of the table, such as Id,CreatedAt'),
} as const

const bodyOptions = {
  set: {
    ...textOption('Name=value for any field, such as Metadata.Title=Opening; repeatable'),
    multiple: true,
  },
  data: textOption('request body as JSON, @<file>, or - for standard input'),
} as const

const optionsOf = (
  operation: Operation,
  flags: Flags,
  extra: OperationExtra,
): Record<string, CommandOption> => {
  const parts: Record<string, CommandOption> = {}
  for (const [flag, name] of Object.entries(flags.body))
    parts[flag] = optionOf(operation.body[name] ?? { type: 'json' })
  for (const [flag, name] of Object.entries(flags.query))
    parts[flag] = queryOptionOf(operation.query[name] ?? { type: 'string' })
  return {
    ...parts,
    ...(extra.file === undefined ? {} : { file: textOption(extra.file.help) }),
    ...(operation.hasBody ? bodyOptions : {}),
    ...(operation.listKey === null ? {} : pageOptions),
  }
}

const familyOf = (flag: string, name: string, pairs: readonly string[]): [string, string][] =>
  pairs.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--${flag} must be key=value, not "${pair}".`)
    return [`${name}.${pair.slice(0, at)}`, pair.slice(at + 1)]
  })

const queryOf = ({ options }: CommandContext, operation: Operation, flags: Flags): Record<string, string> => {
  const query: Record<string, string> = {}
  for (const [flag, name] of Object.entries(flags.query)) {
    const pairs = operation.query[name]?.type === 'json' ? severalOption(options, flag) : undefined
    if (pairs !== undefined) {
      Object.assign(query, Object.fromEntries(familyOf(flag, name, pairs)))
      continue
    }
    const value = options[flag]
    // Sent as typed, because the API describes errors better.
    if (value !== undefined) query[name] = String(value)
  }
  for (const name of operation.listKey === null ? [] : ['limit', 'offset']) {
    const value = stringOption(options, name)
    if (value !== undefined) query[name] = value
  }
  return query
}

const usageOf = (
  labels: readonly string[],
  hasProject: boolean,
  operation: Operation,
  names: Flags['body'],
  hasFile: boolean,
): string => {
  const required = operation.required.flatMap((field) => {
    const flag = Object.keys(names).find((name) => names[name] === field)
    return flag === undefined ? [] : [`--${flag} <…>`]
  })
  const isMore = operation.hasBody || Object.keys(operation.query).length > 0
  return [
    ...labels.map((label) => `<${label}>`),
    ...(hasProject ? ['--project <id>'] : []),
    ...(hasFile ? [] : required),
    ...(hasFile ? ['[--file <path>]'] : []),
    ...(isMore ? ['[options]'] : []),
  ].join(' ')
}

/** `fileId` → `file id`. The only id of a verb is just `id`. */
const labelOf = (parameter: string, isOnly: boolean): string =>
  isOnly ? 'id' : parameter.replace(/^filePicture/, 'picture').replace(/(?:Id|Uuid)$/, ' id')

type UntypedCall = (
  id: OperationId,
  input: {
    readonly path: Record<string, string | number>
    readonly query: object
    readonly body?: object | undefined
  },
) => Promise<ApiRecord>

/** Builds a verb for one operation of the API: its ids, filters and fields come from openapi.json. */
export const operationCommand = (id: OperationId, extra: OperationExtra = {}): Command => {
  const operation = operations[id]
  const hasProject = extra.isOfProjects !== true && operation.path.some(([name]) => name === 'projectId')
  const ids = operation.path.filter(([name]) => !(hasProject && name === 'projectId'))
  const labels = ids.map(([name]) => labelOf(name, ids.length === 1))
  const flags = flagsOf(operation, extra.flags ?? {})
  const { listKey } = operation
  return {
    operations: [id],
    usage: usageOf(labels, hasProject, operation, flags.body, extra.file !== undefined),
    summary: extra.summary ?? operation.summary,
    ...(extra.details === undefined ? {} : { details: extra.details }),
    positionals: labels,
    options: {
      ...optionsOf(operation, flags, extra),
      ...(hasProject ? { project: textOption('Id of the project') } : {}),
    },
    ...(hasProject ? { required: ['project'] } : {}),
    ...(extra.destroys === undefined ? {} : { destroys: extra.destroys }),
    run: async (context) => {
      const { client, output, options } = context
      const call = client.call as unknown as UntypedCall
      const path: Record<string, string | number> = {}
      if (hasProject) path['projectId'] = requiredIdOption(options, 'project')
      ids.forEach(([name, type], index) => {
        const given = context.positionals[index] ?? ''
        path[name] = type === 'integer' ? toId(given, `The ${labels[index]}`) : given
      })
      const query = queryOf(context, operation, flags)
      if (listKey !== null) {
        if (options['all'] === true && query['limit'] !== undefined)
          throw new UsageError('--all and --limit cannot be combined.')
        const columns = readColumns(options, operation.columns ?? [])
        const page = (more: object) => call(id, { path, query: { ...query, ...more } })
        const answer = options['all'] === true ? await walkPages(page, listKey, output) : await page({})
        return output.list(answer, listKey, columns ?? extra.columns ?? ['Id'])
      }
      const fields = operation.hasBody ? await readBody(operation, options, flags.body) : undefined
      if (
        fields !== undefined &&
        Object.keys(fields).length === 0 &&
        id.startsWith('update') &&
        options['file'] === undefined
      )
        throw new UsageError('Nothing to change. --help lists the options.')
      const { body, query: fileQuery } = await fileBody(options, fields, operation, extra.file)
      output.record(await call(id, { path, query: { ...query, ...fileQuery }, body }))
      if (extra.note !== undefined) output.note(extra.note)
    },
  }
}
