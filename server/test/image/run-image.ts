import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { storageOf } from './build-image.ts'
import { runTool } from './run-tool.ts'

/**
 * Containers in a sandbox without cgroups of its own: a mount namespace hides the half-mounted hierarchy, on which
 * podman would fail.
 */
const inOwnMounts = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"'

const inMounts = (script: string, folder: string, words: readonly string[]): Promise<string> =>
  runTool('unshare', ['-m', 'sh', '-c', script, 'sh', 'podman', ...storageOf(folder), ...words])

export const podman = (folder: string, ...words: string[]): Promise<string> =>
  inMounts(inOwnMounts, folder, words)

/** What docs/deploy.md recommends, and what this sandbox needs besides. */
const restrictions = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--tmpfs=/tmp']
const ofThisSandbox = [
  ...['--cgroups=disabled', '--ulimit=nofile=20000:20000', '--ulimit=nproc=4096:4096', '--network=host'],
]

export interface Container {
  readonly url: string
  /** From the start of podman until /readyz answers 200. */
  readonly readyMs: number
  readonly exec: (...words: string[]) => Promise<string>
  readonly log: () => Promise<string>
  /** Sends SIGTERM. Resolves with the exit code and the time that it took. */
  readonly stop: () => Promise<{ readonly code: number; readonly tookMs: number }>
}

export const startContainer = async (folder: string, image: string, volume: string): Promise<Container> => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    ZOETROPE_HOST: '127.0.0.1',
    ZOETROPE_PORT: String(port),
    ZOETROPE_DEMO: '0',
    ZOETROPE_RTMP_PORT: '0',
    ZOETROPE_SRT_PORT: '0',
  }
  const startedMs = performance.now()
  const id = await podman(
    folder,
    ...['run', '--detach', ...restrictions, ...ofThisSandbox, '--volume', `${volume}:/data`],
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    image,
  )
  const log = (): Promise<string> => inMounts(`${inOwnMounts} 2>&1`, folder, ['logs', id])
  await waitFor(
    () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    120_000,
    50,
  ).catch(async (error: unknown) => {
    throw new Error(`the container did not become ready:\n${await log()}`, { cause: error })
  })
  return {
    url,
    readyMs: performance.now() - startedMs,
    exec: (...words) => podman(folder, 'exec', id, ...words),
    log,
    stop: async () => {
      const from = performance.now()
      await podman(folder, 'stop', '--time', '30', id)
      const code = Number(await podman(folder, 'inspect', '--format', '{{.State.ExitCode}}', id))
      const tookMs = performance.now() - from
      await podman(folder, 'rm', id)
      return { code, tookMs }
    },
  }
}

/** Not playable without encoding, so that ffmpeg decodes and encodes in the sandbox of the container. */
const makeSource = async (folder: string): Promise<Buffer> => {
  const file = join(await mkdtemp(join(folder, 'source-')), 'source.avi')
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=25:duration=6',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=6',
  ]
  await runTool('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, '-c:v', 'mpeg4', '-c:a', 'mp3', file])
  return readFile(file)
}

/** Uploads a file and decodes what viewers get. Returns the seconds until the ladder was complete. */
export const uploadAndPlay = async (folder: string, { url, exec }: Container): Promise<number> => {
  const { ApiKey } = JSON.parse(await exec('cat', '/data/initial-credentials.json')) as { ApiKey: string }
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v3${path}`, {
      method,
      headers: { Authorization: `Bearer ${ApiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const source = await makeSource(folder)
  const project = await call('POST', '/projects', { Name: 'Image' })
  const file = await call('POST', `/projects/${project.Id}/files`, {
    FileName: 'source.avi',
    FileSize: source.length,
    Metadata: { ReleaseStatus: 'published' },
  })
  const startedMs = performance.now()
  // The public URL names another port.
  const { pathname } = new URL(file.Upload.URI)
  const put = await fetch(`${url}${pathname}`, { method: 'PUT', body: new Uint8Array(source) })
  if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`)
  const record = await waitFor(
    () => call('GET', `/projects/${project.Id}/files/${file.Id}`),
    ({ Status }) => Status === 'finished' || Status === 'failed',
    120_000,
    100,
  )
  const seconds = (performance.now() - startedMs) / 1000
  const counted = await runTool('ffprobe', [
    ...['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames'],
    ...['-of', 'csv=p=0', `${url}${new URL(record.Playouts[0].HLS).pathname}`],
  ])
  if (Number.parseInt(counted, 10) < 145) throw new Error(`only ${counted} of 150 frames play`)
  return seconds
}
