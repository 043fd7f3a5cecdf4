import type { CommandOption, LocalContext, OptionValues } from './command.ts'
import { UsageError } from './usage-error.ts'

export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const

export const textOption = (help: string): CommandOption => ({ ...text, help })
export const flagOption = (help: string): CommandOption => ({ ...flag, help })

export const stringOption = (options: OptionValues, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** `parseCommandLine` has checked that required options are present. */
export const requiredOption = (options: OptionValues, name: string): string =>
  stringOption(options, name) ?? ''

export const listOption = (options: OptionValues, name: string): string[] | undefined =>
  stringOption(options, name)
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const toId = (value: string, what: string): number => {
  if (!/^[1-9]\d{0,15}$/.test(value))
    throw new UsageError(`${what} must be a positive integer, not "${value}".`)
  return Number(value)
}

export const idOption = (options: OptionValues, name: string): number | undefined => {
  const value = stringOption(options, name)
  return value === undefined ? undefined : toId(value, `--${name}`)
}

export const requiredIdOption = (options: OptionValues, name: string): number =>
  toId(requiredOption(options, name), `--${name}`)

/** Returns each value of a repeatable option, or undefined when it was not given. */
export const severalOption = (options: OptionValues, name: string): string[] | undefined => {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : undefined
}

export const numberOption = (
  options: OptionValues,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number => {
  const value = stringOption(options, name)
  if (value === undefined) return otherwise
  if (!/^\d{1,15}$/.test(value) || Number(value) < from || Number(value) > to)
    throw new UsageError(`--${name} must be a whole number from ${from} to ${to}, not "${value}".`)
  return Number(value)
}

export const secondsOption = (options: OptionValues, name: string): number => {
  const value = requiredOption(options, name)
  if (!/^\d+(?:\.\d+)?$/.test(value))
    throw new UsageError(`--${name} must be a number of seconds, such as 12.5, not "${value}".`)
  return Number(value)
}

export const positional = ({ positionals }: LocalContext, index: number): string => positionals[index] ?? ''

export const idPositional = (context: LocalContext, index: number): number =>
  toId(positional(context, index), 'The id')

/** Removes undefined fields: an absent field of a request body keeps its default. */
export const givenFields = <T extends object>(
  fields: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
