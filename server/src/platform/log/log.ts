import { pino, type Logger } from 'pino'

export type Log = Logger

/** Paths that may contain credentials; pino redacts their values. */
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

/** Upload URLs and playout tokens are credentials within a path: keeps the shape and hides the secret. */
export const redactUrl = (url: string): string =>
  url
    .replace(/(\/uploads\/)[^/?]+/, '$1…')
    .replace(/(\/s\/)[^/?]+/, '$1…')
    .replace(/([?&](?:token|key|secret|authorization|code|state)=)[^&]*/gi, '$1…')

/** A MediaError describes a fault in an uploaded source. Its stack shows only where Zoetrope noticed it, so the log omits it. */
const errorForLog = (error: Error): object => {
  const { stack, ...serialized } = pino.stdSerializers.err(error)
  return serialized.type === 'MediaError' ? serialized : { ...serialized, stack }
}

export const createLog = (options: { level: string; destination?: number | string }): Log =>
  pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorForLog },
      redact: { paths: secretPaths, censor: '…' },
    },
    pino.destination({ dest: options.destination ?? 2, sync: true }),
  )
