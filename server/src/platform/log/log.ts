import { open, stat } from 'node:fs/promises'
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

type Destination = ReturnType<typeof pino.destination>

/** Lines that wait in memory while they cannot be written; further ones are lost. */
const maxWaitingBytes = 1024 * 1024
const defaultReopenMs = 5_000

/** Returns what identifies a file, or null if there is none. */
const identityOf = (path: string): Promise<string | null> =>
  stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )

/** Programs such as logrotate rename the file: without this, the process would write to the old file without end. */
const followRenames = (destination: Destination, path: string, everyMs: number): void => {
  let opened: string | null = null
  const look = async (): Promise<void> => {
    const present = await identityOf(path)
    if (opened !== null && present !== opened) {
      // `reopen` does not write again after it has failed, for example in a missing folder.
      const file = await open(path, 'a').catch(() => null)
      if (file === null) return
      await file.close()
      destination.reopen()
      opened = await identityOf(path)
    } else opened ??= present
  }
  void look()
  setInterval(() => void look(), everyMs).unref()
}

const reportLostLines = (destination: Destination, log: Log): void => {
  let lostCount = 0
  destination.on('drop', () => {
    lostCount += 1
    if (lostCount > 1) return
    destination.once('write', () =>
      setImmediate(() => {
        log.warn({ lines: lostCount }, 'the log could not be written for some time, and has lost lines')
        lostCount = 0
      }),
    )
  })
}

export const createLog = (options: {
  level: string
  destination?: number | string
  /** How often to look whether the file was renamed. */
  reopenMs?: number
}): Log => {
  const { level, destination: dest = 2, reopenMs = defaultReopenMs } = options
  const destination = pino.destination({ dest, sync: true, maxLength: maxWaitingBytes })
  // Without a listener, a full disk would end the process. The lines wait, and are written with a later one.
  destination.on('error', () => {})
  if (typeof dest === 'string') followRenames(destination, dest, reopenMs)
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorForLog },
      redact: { paths: secretPaths, censor: '…' },
    },
    destination,
  )
  reportLostLines(destination, log)
  return log
}
