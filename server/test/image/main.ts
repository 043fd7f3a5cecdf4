import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findProgram } from '../support/find-program.ts'
import { buildImage } from './build-image.ts'
import { podman, startContainer, uploadAndPlay } from './run-image.ts'

/**
 * Builds deploy/Containerfile without a registry, runs it read-only as its own user, and plays a file that it has encoded:
 * `npm run soak -- --only image`. Exits with 1 when a limit below is exceeded. `--keep <folder>` keeps the storage for
 * another run.
 */
const limits = { unpackedBytes: 600e6, compressedBytes: 260e6, readyMs: 20_000, stopMs: 25_000 }

const { values } = parseArgs({ options: { keep: { type: 'string' } } })
const image = 'localhost/zoetrope'
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const missing: string[] = []
for (const name of ['buildah', 'podman', 'mmdebstrap', 'unshare'])
  if ((await findProgram(name)) === null) missing.push(name)
if (missing.length > 0 || process.getuid?.() !== 0) {
  say(`skipped: the image needs root and ${missing.join(', ') || 'nothing else'}`)
  say('To install them: apt-get install buildah podman crun mmdebstrap')
  process.exit(0)
}

const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'zoetrope-image-')))
const faults: string[] = []
const expectAtMost = (name: string, value: number, limit: number, text: string): void => {
  say(`${name}: ${text}`)
  if (value > limit) faults.push(`${name} is above the limit`)
}
try {
  const { unpackedBytes, compressedBytes } = await buildImage(folder, image)
  expectAtMost('unpacked', unpackedBytes, limits.unpackedBytes, inMegabytes(unpackedBytes))
  expectAtMost('compressed', compressedBytes, limits.compressedBytes, inMegabytes(compressedBytes))
  for (const [start, name] of ['first start', 'second start'].entries()) {
    const container = await startContainer(folder, image, 'data')
    expectAtMost(name, container.readyMs, limits.readyMs, inSeconds(container.readyMs))
    const log = await container.log()
    say(`sandbox: ${/"sandbox":"(\w+)"/.exec(log)?.[1] ?? 'unknown'}`)
    say(`user: ${await container.exec('id')}`)
    await container.exec('zoetrope-health')
    if (start === 0) say(`upload to the last rung: ${(await uploadAndPlay(folder, container)).toFixed(1)} s`)
    const { code, tookMs } = await container.stop()
    expectAtMost('stop', tookMs, limits.stopMs, `${inSeconds(tookMs)}, exit code ${code}`)
    if (code !== 0) faults.push(`it stopped with exit code ${code}`)
  }
  await podman(folder, 'volume', 'rm', 'data')
} finally {
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true })
}
for (const fault of faults) say(`FAILED: ${fault}`)
if (faults.length > 0) process.exitCode = 1
