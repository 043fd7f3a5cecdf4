import type { OptionValues } from '../command.ts'
import { listOption, severalOption, stringOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'

export const eventsHelp = 'names such as file.new, families such as file.*, or *; comma-separated'

export const fieldOptions = {
  url: textOption('where the requests go; its query is kept. https, unless the operator allows http'),
  events: textOption(eventsHelp),
  label: textOption('name of the webhook'),
  header: {
    ...textOption("header to send, such as 'X-Tenant: news'; repeatable"),
    multiple: true,
  },
} as const

const toHeader = (text: string): [name: string, value: string] => {
  const [, name, value] = /^([^:]+):(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`--header must be a name, a colon and a value, not "${text}".`)
  return [name.trim(), value.trim()]
}

const headersOption = (options: OptionValues): Record<string, string> | undefined => {
  const headers = severalOption(options, 'header')
  return headers === undefined ? undefined : Object.fromEntries(headers.map(toHeader))
}

export const fieldsOf = (options: OptionValues) => ({
  TargetURL: stringOption(options, 'url'),
  EventTypes: listOption(options, 'events'),
  Label: stringOption(options, 'label'),
  CustomHeaders: headersOption(options),
})
