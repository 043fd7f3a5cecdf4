import { findProgram } from './find-program.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** Path of the machine's Chromium or Chrome; `./zoetrope test` installs one. */
export const findBrowser = async (): Promise<string> => {
  const path = await findProgram(...names)
  if (path === null)
    throw new Error(`No browser was found: install chromium (looked for ${names.join(', ')} in PATH).`)
  return path
}
