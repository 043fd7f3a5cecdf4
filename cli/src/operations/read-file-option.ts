import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { OptionValues } from '../command.ts'
import { stringOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import type { Operation } from './operation.ts'

/** A local file as text or base64 in a field of the body, or as the whole body. */
export type FileUse = { readonly help: string } & (
  | { readonly as: 'text' | 'base64'; readonly field: string }
  | { readonly as: 'body' }
)

const mediaTypes: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

interface Sent {
  readonly body: object | undefined
  readonly query: Readonly<Record<string, string>>
}

const readBytes = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (error) {
    throw new UsageError(`Cannot read ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** With a binary body the fields go into the query, by the same names starting in lower case. */
const asQuery = (fields: object, known: Operation['query']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const parameter = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
      if (known[parameter] === undefined) throw new UsageError(`${name} and --file cannot be combined.`)
      return [parameter, String(value)]
    }),
  )

export const fileBody = async (
  options: OptionValues,
  fields: object | undefined,
  { query }: Operation,
  use: FileUse | undefined,
): Promise<Sent> => {
  const path = stringOption(options, 'file')
  if (use === undefined || path === undefined || fields === undefined) return { body: fields, query: {} }
  const bytes = await readBytes(path)
  if (use.as !== 'body')
    return {
      body: { ...fields, [use.field]: bytes.toString(use.as === 'text' ? 'utf8' : 'base64') },
      query: {},
    }
  const type = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream'
  return { body: new Blob([new Uint8Array(bytes)], { type }), query: asQuery(fields, query) }
}
