import type { TestServer } from '../../../test/support/test-server.ts'
import { initBlob, segmentBlob } from '../../library/files/media/media-blobs.ts'
import { blobPrefixOf, changeMediaFile } from '../../library/files/record/media-file-store.ts'
import type { MediaFileState } from '../../platform/db/tables/files.ts'

export interface PlayableFile {
  readonly id: number
  readonly projectId: number
  readonly playoutId: string
  readonly renditionId: number
  readonly inProgressRenditionId: number
  readonly segments: readonly Buffer[]
  readonly pictureId: string
  /** `/v/<playoutId>` */
  readonly path: string
}

const timescale = 90_000
const segmentTicks = 4 * timescale

/** Creates a file as encoding leaves it, without encoding: rendition rows and blobs that no test decodes. */
export const makePlayableFile = async (
  server: TestServer,
  options: { readonly project?: object; readonly metadata?: object; readonly state?: MediaFileState } = {},
): Promise<PlayableFile> => {
  const { services, call, url } = server
  const { database, blobs } = services
  const project = await call('POST', '/projects', { body: { Name: 'Playout', ...options.project } })
  const projectId: number = project.body.Id
  const created = await call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'clip.mp4', Metadata: { ReleaseStatus: 'published', ...options.metadata } },
  })
  const fileId: number = created.body.Id
  const { account_id: accountId } = await database.kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()

  const addRendition = async (
    name: string,
    state: 'growing' | 'complete',
    segments: readonly Buffer[],
  ): Promise<number> => {
    const mediaBlob = `${blobPrefixOf({ accountId, projectId, fileId })}${name}`
    await blobs.put(initBlob(mediaBlob), Buffer.from(`init of ${name}`))
    for (const [index, bytes] of segments.entries()) await blobs.put(segmentBlob(mediaBlob, index), bytes)
    const { id } = await database.kysely
      .insertInto('renditions')
      .values({
        account_id: accountId,
        file_id: fileId,
        kind: 'video',
        name,
        delivery: 'packaged',
        state,
        media_blob: mediaBlob,
        codec: 'avc1.64001f',
        width_pixels: 640,
        height_pixels: 360,
        frame_rate: 30,
        timescale,
        peak_bits_per_second: 800_000,
        average_bits_per_second: 500_000,
        segments: JSON.stringify(
          segments.map(({ length }, index) => [timescale + index * segmentTicks, segmentTicks, length]),
        ),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  const segments = [0, 1, 2].map((index) => Buffer.from(`segment ${index} `.repeat(20)))
  const renditionId = await addRendition('complete', 'complete', segments)
  const inProgressRenditionId = await addRendition('growing', 'growing', segments.slice(0, 2))
  const pictureBlob = `${blobPrefixOf({ accountId, projectId, fileId })}picture`
  await blobs.put(pictureBlob, Buffer.from('picture'))
  const { public_id: pictureId } = await database.kysely
    .insertInto('file_pictures')
    .values({
      account_id: accountId,
      file_id: fileId,
      width_pixels: 640,
      height_pixels: 360,
      is_standard: true,
      picture_blob: pictureBlob,
      thumb_blob: pictureBlob,
    })
    .returning('public_id')
    .executeTakeFirstOrThrow()
  await database.transaction((tx) =>
    changeMediaFile(tx, url, { accountId, fileId }, () => ({ set: { state: options.state ?? 'playable' } })),
  )
  const playoutId: string = created.body.Playouts[0].Id
  return {
    id: fileId,
    projectId,
    playoutId,
    renditionId,
    inProgressRenditionId,
    segments,
    pictureId,
    path: `/v/${playoutId}`,
  }
}

/** Returns every address that a player loads, embed page first; `prefix` is a token path. */
export const addressesOf = (file: PlayableFile, prefix = ''): string[] => [
  `${prefix}/embed/${file.playoutId}`,
  ...[
    'main.m3u8',
    'main.mpd',
    `${file.renditionId}/playlist.m3u8`,
    `${file.renditionId}/init.mp4`,
    `${file.renditionId}/0.m4s`,
  ].map((rest) => `${prefix}${file.path}/${rest}`),
  ...['poster.jpg', 'thumb.jpg'].map((name) => `${prefix}/p/${file.pictureId}/${name}`),
]
