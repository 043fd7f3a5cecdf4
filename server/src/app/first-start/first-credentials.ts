import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** Writes atomically and flushes to disk, readable by the owner only. */
const writeSecretFile = async (path: string, content: object): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
}

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
  if (kept.ApiBase !== ApiBase) await writeSecretFile(commandLine, { ...kept, ApiBase })
}

export const keepFirstCredentials = async (
  options: { readonly dataFolder: string; readonly publicUrl: string; readonly isTerminal: boolean },
  credentials: FirstCredentials,
): Promise<void> => {
  const files = credentialFiles(options.dataFolder)
  const apiBase = `${options.publicUrl}/v3`
  await writeSecretFile(files.commandLine, { ApiBase: apiBase, ApiKey: credentials.cliApiKey })
  if (options.isTerminal) return
  await writeSecretFile(files.initial, {
    ApiBase: apiBase,
    ConsoleURL: `${options.publicUrl}/`,
    Email: credentials.email,
    Password: credentials.password,
    ApiKey: credentials.apiKey,
  })
}

export const describeFirstCredentials = (publicUrl: string, credentials: FirstCredentials): string => `
  Your account is ready. This is shown once: keep it.

    E-mail      ${credentials.email}
    Password    ${credentials.password}
    API key     ${credentials.apiKey}

  E-mail and password are for signing in to the console; the API key works now:

    curl -H "Authorization: Bearer ${credentials.apiKey}" ${publicUrl}/v3/projects

`
