import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** Path of the machine's Chromium or Chrome; `./zoetrope test` installs one. */
export const findBrowser = async (): Promise<string> => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error(`No browser was found: install chromium (looked for ${names.join(', ')} in PATH).`)
}
