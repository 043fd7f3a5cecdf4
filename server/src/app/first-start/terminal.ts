import { styleText } from 'node:util'
import type { FirstCredentials } from '../../accounts/identity/accounts/first-start.ts'

export interface StartReport {
  readonly publicUrl: string
  readonly signInLink: string | null
  readonly firstCredentials: FirstCredentials | null
  readonly logFile: string | null
}

/** The output of `up` after a successful start: at most five lines, each secret once, and one link in bold. */
export const describeStart = (
  { publicUrl, signInLink, firstCredentials, logFile }: StartReport,
  bold: (text: string) => string,
): string[] => {
  const where = `Log: ${logFile}. Press Ctrl-C to stop.`
  const link =
    signInLink === null
      ? [`Zoetrope is ready: ${bold(`${publicUrl}/`)}`]
      : ['Zoetrope is ready. This link signs you in, once, within ten minutes:', bold(signInLink)]
  if (firstCredentials === null) return [...link, where]
  const { email, password, apiKey } = firstCredentials
  return [
    ...link,
    `E-mail  ${email}  Password  ${password}`,
    `API key  ${apiKey}`,
    `Store password and key: they are shown once. ${where}`,
  ]
}

const clearLine = '\r\u001b[K'

/** Removes an unfinished step, so that an error message begins in its own line. */
export const clearStep = (stream: NodeJS.WriteStream): void => {
  // A dumb terminal cannot erase a line, so every step stays.
  if (stream.isTTY && process.env['TERM'] !== 'dumb') stream.write(clearLine)
}

export interface Terminal {
  /** Shows what happens now, instead of the step before. */
  readonly showStep: (step: string) => void
  /** Prints a line that stays. */
  readonly print: (line: string) => void
  /** Removes the step. */
  readonly clear: () => void
  readonly bold: (text: string) => string
}

export const createTerminal = (stream: NodeJS.WriteStream): Terminal => {
  const canErase = process.env['TERM'] !== 'dumb'
  return {
    clear: () => clearStep(stream),
    showStep: (step) => {
      clearStep(stream)
      const line = `  ${step} …`
      stream.write(canErase ? line.slice(0, (stream.columns || 80) - 1) : `${line}\n`)
    },
    print: (line) => {
      clearStep(stream)
      stream.write(`  ${line}\n`)
    },
    bold: (text) => styleText('bold', text, { stream }),
  }
}
