import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'

export interface Credentials {
  /** Ends with the version, without a trailing slash: https://video.example.com/v3 */
  readonly apiBase: string
  readonly apiKey: string
}

interface CredentialFile {
  readonly ApiBase?: string
  readonly ApiKey?: string
}

const toCredentialFile = (value: unknown): CredentialFile => {
  const { ApiBase, ApiKey } = (value ?? {}) as Readonly<Record<string, unknown>>
  return {
    ...(typeof ApiBase === 'string' ? { ApiBase } : {}),
    ...(typeof ApiKey === 'string' ? { ApiKey } : {}),
  }
}

/**
 * Throws UsageError for characters that no header can carry. Otherwise the error of another library would
 * quote the key.
 */
const cleanKey = (apiKey: string): string => {
  const key = apiKey.trim()
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('The API key contains a space, a line break or another invalid character.')
  return key
}

/** Reads the file that the first start of a Zoetrope on this machine writes. Empty without a file. */
const readCredentialFile = async (path: string): Promise<CredentialFile> => {
  try {
    return toCredentialFile(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    if (code === 'EACCES')
      throw new UsageError(`${path} can only be read by its owner. Use --api-base and --api-key.`)
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}.`)
  }
}

const withVersion = (apiBase: string): string => {
  if (!URL.canParse(apiBase) || !/^https?:$/.test(new URL(apiBase).protocol))
    throw new UsageError(`The API base must be a URL such as https://video.example.com/v3, not "${apiBase}".`)
  const base = apiBase.replace(/\/+$/, '')
  return new URL(base).pathname === '/' ? `${base}/v3` : base
}

/** Whether the address is this machine under another name, or the installation of the key. */
const isOfKey = (base: string, fileBase: string | undefined): boolean => {
  const { origin, hostname } = new URL(base)
  return (
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ||
    (fileBase !== undefined && URL.canParse(fileBase) && new URL(fileBase).origin === origin)
  )
}

/**
 * Takes each value from its flag, else from the environment, else from `cli.json` in the data folder. Its key
 * is sent to no other installation.
 */
export const findCredentials = async (
  flags: { readonly apiBase: string | undefined; readonly apiKey: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<Credentials> => {
  const apiBase = flags.apiBase ?? environment['ZOETROPE_API_BASE']
  const apiKey = flags.apiKey ?? environment['ZOETROPE_API_KEY']
  if (apiBase !== undefined && apiKey !== undefined)
    return { apiBase: withVersion(apiBase), apiKey: cleanKey(apiKey) }
  const path = join(environment['ZOETROPE_DATA'] ?? './data', 'cli.json')
  const file = await readCredentialFile(path)
  const base = apiBase ?? file.ApiBase
  const key = apiKey ?? file.ApiKey
  if (base === undefined || key === undefined)
    throw new UsageError(
      `No API key found. Pass --api-base and --api-key, set ZOETROPE_API_BASE and ZOETROPE_API_KEY, or start Zoetrope once to create ${path}.`,
    )
  const known = withVersion(base)
  if (apiKey === undefined && !isOfKey(known, file.ApiBase))
    throw new UsageError(
      `The API key in ${path} belongs to ${file.ApiBase ?? 'this machine'} and is not sent to ${new URL(known).origin}. Pass --api-key or set ZOETROPE_API_KEY too.`,
    )
  return { apiBase: known, apiKey: cleanKey(key) }
}
