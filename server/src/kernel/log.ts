import { pino, type Logger } from 'pino'

export type Log = Logger

/** Paths that may carry credentials; pino replaces their values before a line is written. */
const secretPaths = [
  'authorization',
  'password',
  'token',
  'secret',
  'apiKey',
  '*.authorization',
  '*.password',
  '*.token',
  '*.secret',
  '*.apiKey',
  'req.headers',
]

/** An upload URL or a playout token is a credential inside a path: keep the shape, hide the secret. */
export const redactUrl = (url: string): string =>
  url
    .replace(/(\/uploads\/)[^/?]+/, '$1…')
    .replace(/(\/s\/)[^/?]+/, '$1…')
    .replace(/([?&](?:token|key|secret|authorization|code|state)=)[^&]*/gi, '$1…')

/** Structured JSON lines on the given descriptor (1 = standard output). */
export const createLog = (options: { level: string; destination?: number | string }): Log =>
  pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: '…' },
    },
    pino.destination({ dest: options.destination ?? 2, sync: true }),
  )
