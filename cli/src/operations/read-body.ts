import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { OptionValues } from '../command.ts'
import { severalOption, stringOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import type { Field, Operation } from './operation.ts'
import { readValue } from './read-value.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `@file` reads a file, `-` reads standard input. */
const readData = async (given: string): Promise<Json> => {
  const text =
    given === '-'
      ? await textOf(process.stdin)
      : given.startsWith('@')
        ? await readFile(given.slice(1), 'utf8').catch((error: NodeJS.ErrnoException) => {
            throw new UsageError(`Cannot read ${given.slice(1)} (${error.code}).`)
          })
        : given
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}.`)
  }
  if (!isObject(value)) throw new UsageError('--data must be a JSON object, such as {"Name": "Spring"}.')
  return value
}

/** Names of the object prototype must not be written. */
const isOwnName = (name: string): boolean => !['__proto__', 'constructor', 'prototype', ''].includes(name)

const setField = (body: Json, path: string, value: unknown): void => {
  const names = path.split('.')
  if (!names.every(isOwnName)) throw new UsageError(`"${path}" is not a field name.`)
  let target = body
  for (const name of names.slice(0, -1)) {
    const inner = target[name]
    const next: Json = isObject(inner) ? inner : {}
    target[name] = next
    target = next
  }
  target[names.at(-1) ?? ''] = value
}

/** `metadata.title` finds `Metadata.Title`, so users need not know the case. Custom fields stay as typed. */
const canonicalName = (fields: Readonly<Record<string, Field>>, typed: string): string => {
  const names = Object.keys(fields)
  const same = names.find((name) => name.toLowerCase() === typed.toLowerCase())
  if (same !== undefined) return same
  const outer = names
    .filter((name) => typed.toLowerCase().startsWith(`${name.toLowerCase()}.`))
    .sort((a, b) => b.length - a.length)[0]
  return outer === undefined ? typed : `${outer}${typed.slice(outer.length)}`
}

const setOne = (body: Json, assignment: string, fields: Readonly<Record<string, Field>>): void => {
  const end = assignment.indexOf('=')
  if (end < 1) throw new UsageError(`--set must be Name=value, such as Name=Spring, not "${assignment}".`)
  const name = canonicalName(fields, assignment.slice(0, end))
  const type = fields[name]?.type ?? 'json'
  setField(body, name, readValue(assignment.slice(end + 1), type, name))
}

/** Merges --data, then the flags of single fields, then --set: later sources override earlier ones. */
export const readBody = async (
  { body: fields }: Operation,
  options: OptionValues,
  flags: Readonly<Record<string, string>>,
): Promise<Json> => {
  const data = stringOption(options, 'data')
  const body = data === undefined ? {} : await readData(data)
  for (const [flag, name] of Object.entries(flags)) {
    const value = options[flag]
    const type = fields[name]?.type ?? 'json'
    if (typeof value === 'boolean') setField(body, name, value)
    else if (typeof value === 'string') setField(body, name, readValue(value, type, `--${flag}`))
  }
  for (const assignment of severalOption(options, 'set') ?? []) setOne(body, assignment, fields)
  return body
}
