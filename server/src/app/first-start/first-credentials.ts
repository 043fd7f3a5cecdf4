import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSecretFile } from '../../platform/base/secret-file.ts'
import type { FirstCredentials } from '../../accounts/identity/accounts/first-start.ts'

export interface CredentialFiles {
  /** For automation without a terminal. */
  readonly initial: string
  readonly commandLine: string
}

export const credentialFiles = (dataFolder: string): CredentialFiles => ({
  initial: join(dataFolder, 'initial-credentials.json'),
  commandLine: join(dataFolder, 'cli.json'),
})

const writeJson = (path: string, content: object): Promise<void> =>
  writeSecretFile(path, `${JSON.stringify(content, null, 2)}\n`)

/**
 * Updates the stored address when the public URL has changed: after a restore, or with another port or proxy.
 */
export const followPublicUrl = async (dataFolder: string, publicUrl: string): Promise<void> => {
  const { commandLine } = credentialFiles(dataFolder)
  const text = await readFile(commandLine, 'utf8').catch(() => null)
  if (text === null) return
  let kept: { readonly ApiBase?: string; readonly ApiKey?: string }
  try {
    kept = JSON.parse(text) as typeof kept
  } catch {
    // `doctor` reports the invalid file.
    return
  }
  const ApiBase = `${publicUrl}/v3`
  if (kept.ApiBase !== ApiBase) await writeJson(commandLine, { ...kept, ApiBase })
}

export const keepFirstCredentials = async (
  options: { readonly dataFolder: string; readonly publicUrl: string; readonly isTerminal: boolean },
  credentials: FirstCredentials,
): Promise<void> => {
  const files = credentialFiles(options.dataFolder)
  const apiBase = `${options.publicUrl}/v3`
  await writeJson(files.commandLine, { ApiBase: apiBase, ApiKey: credentials.cliApiKey })
  if (options.isTerminal) return
  await writeJson(files.initial, {
    ApiBase: apiBase,
    ConsoleURL: `${options.publicUrl}/`,
    Email: credentials.email,
    Password: credentials.password,
    ApiKey: credentials.apiKey,
  })
}
