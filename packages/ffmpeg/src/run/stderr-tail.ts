const maxTailCharacters = 8 * 1024
const maxLineCharacters = 2 * 1024

export type StderrTail = {
  push: (text: string) => void
  text: () => string
  /** Whether ffmpeg has logged a line of level `error` or worse, even if the tail no longer has it. */
  hasErrors: () => boolean
}

const errorLevel = /\[(error|fatal|panic)\]/

/**
 * Keeps the last 8 KiB of relevant stderr. ffmpeg marks each line with its level (`-loglevel level+info`).
 * Info lines are dropped, so that the statistics of x264 do not displace the error; `onInfo` receives them.
 */
export const createStderrTail = ({
  onInfo = () => {},
  onProblem = () => {},
}: {
  onInfo?: ((line: string) => void) | undefined
  /** Receives each line that is kept. */
  onProblem?: (line: string) => void
} = {}): StderrTail => {
  let lines: string[] = []
  let characters = 0
  let hasErrors = false
  let rest = ''

  const add = (rawLine: string): void => {
    const line = rawLine.slice(0, maxLineCharacters)
    // ffmpeg logs the signal that ended it at level info.
    if (line.includes('[info]') && !line.includes('received signal')) return onInfo(line)
    if (line.trim() === '') return
    onProblem(line)
    hasErrors ||= errorLevel.test(line)
    lines.push(line)
    characters += line.length + 1
    while (characters > maxTailCharacters) characters -= (lines.shift()?.length ?? 0) + 1
  }

  return {
    push: (text) => {
      const parts = (rest + text).split(/[\r\n]+/)
      rest = (parts.pop() ?? '').slice(0, maxLineCharacters)
      for (const part of parts) add(part)
    },
    text: () => {
      add(rest)
      rest = ''
      return lines.join('\n')
    },
    hasErrors: () => hasErrors,
  }
}
