import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { MediaFilesTable } from '../../../../platform/db/tables/files.ts'
import { nullable } from '../../../../platform/http/requests/schemas.ts'
import { isPlayableState } from './file-state.ts'
import { m4aDownloadOf } from './mp4-download.ts'
import { hasAllSegments, type RenditionRow } from './rendition-record.ts'

type MediaFileRow = Selectable<MediaFilesTable>

export const playoutUris = (publicUrl: string, playoutId: string) => ({
  hls: `${publicUrl}/v/${playoutId}/main.m3u8`,
  dash: `${publicUrl}/v/${playoutId}/main.mpd`,
  mp4: `${publicUrl}/v/${playoutId}/download.mp4`,
  embed: `${publicUrl}/embed/${playoutId}`,
  storyboard: `${publicUrl}/v/${playoutId}/storyboard.vtt`,
  m4a: `${publicUrl}/v/${playoutId}/download.m4a`,
  thumbnail: `${publicUrl}/v/${playoutId}/thumbnail.jpg`,
  animated: `${publicUrl}/v/${playoutId}/animated.webp`,
})

export const extraPlayoutLinks = (
  { state }: Pick<MediaFileRow, 'state'>,
  renditions: readonly RenditionRow[],
  uris: ReturnType<typeof playoutUris>,
) => {
  const isPlayable = isPlayableState(state)
  const hasPictures = isPlayable && renditions.some((one) => one.kind === 'video' && one.state === 'complete')
  return {
    M4A: isPlayable && m4aDownloadOf(renditions) !== null ? uris.m4a : null,
    ThumbnailURI: hasPictures ? uris.thumbnail : null,
    AnimatedURI: hasPictures ? uris.animated : null,
  }
}

/** Whether DASH is available. The manifest is static, so it needs one complete rendition. */
export const hasDash = (renditions: readonly RenditionRow[]): boolean => renditions.some(hasAllSegments)

export const hasStoryboard = ({ state, storyboard }: Pick<MediaFileRow, 'state' | 'storyboard'>): boolean =>
  isPlayableState(state) && storyboard !== null

const uri = Type.String({ format: 'uri' })

export const playoutSchema = Type.Object({
  Id: Type.String({ format: 'uuid', description: 'Identifier of the playout, part of its URLs.' }),
  Label: Type.String({ description: 'Name of the playout.' }),
  IsDefault: Type.Boolean({ description: 'Whether players use this playout if none is chosen.' }),
  HLS: nullable(uri, 'URL of the HLS playlist. Null until something can be played.'),
  DASH: nullable(uri, 'URL of the DASH manifest. Null until a rendition is complete.'),
  MP4: nullable(
    Type.String({ format: 'uri' }),
    'URL of an MP4 for download: the best complete H.264 rendition, or `?rendition=<Id>`. Null until there is one.',
  ),
  EmbedURI: nullable(uri, 'URL of the player page for an iframe. Null until something can be played.'),
})

export const storyboardUriSchema = nullable(
  Type.String({
    format: 'uri',
    description:
      'WebVTT with previews for the seek bar: each cue references a tile of one picture (`#xywh`). `storyboard.json` at the same path has the same data, and `thumbnail.jpg?time=<seconds>` returns a single picture. Null until the file is finished, and without video.',
  }),
)

export const extraPlayoutSchemas = {
  M4A: nullable(
    Type.String({
      format: 'uri',
      description: 'URL of an M4A for download, for files without video. Null for videos, which have `MP4`.',
    }),
  ),
  ThumbnailURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'URL of the picture at any time, exact to the frame. Parameters: `time` (seconds), `width`, `height` and `fit` (contain or cover). `thumbnail.webp` at the same path returns WebP. Null without video.',
    }),
  ),
  AnimatedURI: nullable(
    Type.String({
      format: 'uri',
      description:
        'URL of a short animated WebP. Parameters: `start` and `end` (seconds, at most 10 apart) and `width`. Null without video.',
    }),
  ),
}

export const filePlayoutSchema = Type.Object({
  ...playoutSchema.properties,
  Storyboard: storyboardUriSchema,
  ...extraPlayoutSchemas,
})
