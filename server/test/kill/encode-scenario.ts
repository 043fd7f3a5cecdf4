import assert from 'node:assert/strict'
import { countFrames, makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation, KillTarget, Recovery } from './installation.ts'
import { compareMedia, listLeftovers, waitForExtras } from './media-inventory.ts'
import { withDatabase } from './with-database.ts'

export interface EncodeSource {
  readonly bytes: Buffer
  readonly frameCount: number
}

export interface EncodeKill {
  readonly source: EncodeSource
  readonly target: KillTarget
  /** Resolves at the time of the kill. Receives the id of the file whose last byte has just been accepted. */
  readonly until: (fileId: number) => Promise<unknown>
}

export interface EncodeOutcome {
  readonly recovery: Recovery
  readonly killedIn: string
  /** Time from full recovery to a running encoder. Null when nothing was left to encode. */
  readonly encoderAfterMs: number | null
  readonly finishedAfterMs: number
}

/** Files of `makeEncodeSource` are encoded to a first rung and a ladder of two more. */
export const encodeProject = {
  Name: 'Encodes',
  DefaultReleaseStatus: 'published',
  EncoderSettings: {
    LadderMode: 'eager',
    Renditions: [{ Height: 90 }, { Height: 180 }, { Height: 360 }],
  },
}

export const makeEncodeSource = async (seconds: number): Promise<EncodeSource> => ({
  bytes: await makeSample({
    seconds,
    size: '640x360',
    videoCodec: 'mpeg4',
    audioCodec: 'ac3',
    format: 'mp4',
    extra: ['-q:v', '5'],
  }),
  frameCount: seconds * 30,
})

/** Resolves when a rendition of the file is being encoded: of the first rung or of the ladder above it. */
export const untilEncoding = (
  installation: Installation,
  fileId: number,
  step: 'first rung' | 'ladder',
): Promise<unknown> =>
  withDatabase(installation, ({ kysely }) =>
    waitFor(
      () => kysely.selectFrom('renditions').select(['name', 'state']).where('file_id', '=', fileId).execute(),
      (renditions) => {
        const isUnderWay = renditions.some(({ state }) => state !== 'complete')
        const isFirstDone = renditions.some(({ state }) => state === 'complete')
        return isUnderWay && isFirstDone === (step === 'ladder')
      },
    ),
  )

const eventsOf = (
  installation: Installation,
  fileId: number,
): Promise<{ name: string; sequence: number }[]> =>
  withDatabase(installation, ({ kysely }) =>
    kysely
      .selectFrom('events')
      .select(['name', 'sequence'])
      .where('file_id', '=', fileId)
      .orderBy('id')
      .execute(),
  )

/**
 * Uploads a video and kills `target` during the encode. Throws when the file does not finish by itself, stops
 * being playable in between, or plays other frames than the source. Also throws when an event is missing or
 * repeated, or anything is left over.
 */
export const encodeThroughKill = async (
  installation: Installation,
  projectId: number,
  kill: EncodeKill,
): Promise<EncodeOutcome> => {
  const { source } = kill
  const created = await installation.call('POST', `/projects/${projectId}/files`, {
    FileName: 'killed.mp4',
    FileSize: source.bytes.length,
  })
  const fileId = created.body.Id as number
  const path = `/projects/${projectId}/files/${fileId}`
  const put = await fetch(created.body.Upload.URI as string, {
    method: 'PUT',
    body: source.bytes as BodyInit,
  })
  assert.equal(put.status, 200)

  await kill.until(fileId)
  const before = (await installation.call('GET', path)).body
  const recovery = await installation.killAndRecover(kill.target)
  const recoveredMs = performance.now()

  let encoderAfterMs: number | null = null
  let wasPlayable = before.IsPlayable as boolean
  const file = await waitFor(
    async () => {
      const { body } = await installation.call('GET', path)
      assert.ok(!wasPlayable || body.IsEncoded === true, `a playable file became ${body.Status}`)
      if (wasPlayable) assert.equal((await fetch(body.Playouts[0].HLS as string)).status, 200)
      wasPlayable ||= body.IsPlayable === true
      if (encoderAfterMs === null && (await installation.countEncoders()) > 0)
        encoderAfterMs = performance.now() - recoveredMs
      return body
    },
    ({ IsFinished }) => IsFinished === true,
  )
  const finishedAfterMs = performance.now() - recoveredMs

  await checkWhole(installation, file, {
    frameCount: source.frameCount,
    renditions: ['180p', '360p', '90p', 'audio'],
  })
  return { recovery, killedIn: before.Status as string, encoderAfterMs, finishedAfterMs }
}

/** Throws when a finished file is incomplete, an event is missing or repeated, or anything is left over. */
export const checkWhole = async (
  installation: Installation,
  // The API contract defines the shape, and the comparisons below find deviations.
  // oxlint-disable-next-line typescript/no-explicit-any
  file: any,
  expected: { readonly frameCount: number; readonly renditions: readonly string[] },
): Promise<void> => {
  assert.equal(file.Status, 'finished')
  assert.equal(await countFrames(file.Playouts[0].HLS), expected.frameCount)
  assert.deepEqual(file.Renditions.map(({ Name }: { Name: string }) => Name).sort(), expected.renditions)
  assert.deepEqual(
    (await eventsOf(installation, file.Id)).map(({ name, sequence }) => `${sequence} ${name}`).slice(0, 7),
    [
      '1 file.created',
      '2 file.uploaded',
      '3 file.encoding',
      '4 file.playable',
      '5 file.released',
      '6 file.encoded',
      '7 file.new',
    ],
  )
  await waitForExtras(installation)
  // The job cleans up after the record is finished.
  await waitFor(
    () => listLeftovers(installation.dataFolder),
    (left) => left.length === 0,
  )
  assert.equal(await installation.countEncoders(), 0)
  assert.deepEqual(await compareMedia(installation), { orphans: [], missing: [], miscounted: [] })
}
