import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { RefusedByServer } from '../../ingest/encoding/remote/worker/server-connection.ts'
import { runRemoteWorker } from '../../ingest/encoding/remote/worker/run-remote-worker.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import { product } from '../../platform/base/version.ts'
import { sweepFolder } from '../../platform/blobs/durable-files.ts'
import { createLog } from '../../platform/log/log.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { prepareSandbox } from '../roles/prepare-sandbox.ts'

export const remoteWorkerUsage = `Usage: ./zoetrope worker --server <https URL> --token-file <file> [--slots <number>] [--work-folder <folder>]
       ./zoetrope worker --server <https URL> --token <token> …`

const readServer = (text: string | undefined): string => {
  if (text === undefined || !URL.canParse(text))
    throw usageError('worker requires --server with the URL of the installation.')
  const { protocol, hostname } = new URL(text)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw usageError('--server must be an https URL: http would expose the token and the sources.')
  return text
}

const readToken = (token: string | undefined, file: string | undefined): string => {
  if ((token === undefined) === (file === undefined))
    throw usageError('worker requires --token-file or --token.')
  if (token !== undefined) return token.trim()
  const path = file ?? ''
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${(error as Error).message}.`)
  }
  if (text === '') throw new ConfigError(`${path} is empty. It must contain the token of the worker.`)
  return text
}

const usageError = (sentence: string): ConfigError => new ConfigError(`${sentence}\n${remoteWorkerUsage}`)

const parse = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        'token-file': { type: 'string' },
        slots: { type: 'string', default: '1' },
        'work-folder': { type: 'string' },
      },
    }).values
  } catch (error) {
    throw usageError(`${(error as Error).message.split('. To specify')[0]}.`)
  }
}

const ffmpegVersion = (): string => {
  const { stdout } = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' })
  const version = /^ffmpeg version (\S{1,80})/.exec(stdout ?? '')?.[1]
  if (version === undefined)
    throw new StartupError('ffmpeg is missing. Install the same version as on the server.')
  return version
}

const prefix = 'zoetrope-worker-'
/** A worker marks its folder as used while it runs. Those of killed ones are removed at the next start. */
const markEveryMs = 3_600_000
const abandonedMs = 24 * 3_600_000

/**
 * Encodes chunks of an installation over HTTPS. It reads no settings, because it has no access to the database and
 * the media storage.
 */
export const runRemoteWorkerCommand = async (
  words: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const given = parse(words)
  const serverUrl = readServer(given.server)
  const token = readToken(given.token, given['token-file'])
  const slots = Number(given.slots)
  if (!Number.isInteger(slots) || slots < 1 || slots > 64)
    throw usageError('--slots must be a whole number from 1 to 64.')
  const log = createLog({ level: 'info' })
  if (given.token !== undefined)
    log.warn(
      'every user of this machine can read the token of --token in the list of processes; use --token-file',
    )
  const machine = { version: product.version, ffmpeg: ffmpegVersion(), cores: availableParallelism(), slots }
  // The media sandbox needs an absolute path.
  const parent = resolve(given['work-folder'] ?? tmpdir())
  await mkdir(parent, { recursive: true })
  await sweepFolder(parent, abandonedMs, prefix).catch((error: unknown) =>
    // The folder of another user, for example.
    log.warn({ err: error, folder: parent }, 'cannot remove the work folders of killed workers'),
  )
  const workFolder = await mkdtemp(join(parent, prefix))
  const timer = setInterval(() => {
    utimes(workFolder, new Date(), new Date()).catch((error: unknown) =>
      log.warn({ err: error, folder: workFolder }, 'cannot mark the work folder as used'),
    )
  }, markEveryMs)
  prepareSandbox({ sandbox: 'auto', dataFolder: workFolder }, log)
  try {
    log.info({ server: serverUrl, ...machine }, 'waiting for chunks')
    await runRemoteWorker({ serverUrl, token, workFolder, machine, log, signal })
  } catch (error) {
    throw error instanceof RefusedByServer ? new StartupError(error.message) : error
  } finally {
    clearInterval(timer)
    await rm(workFolder, { recursive: true, force: true })
  }
}
