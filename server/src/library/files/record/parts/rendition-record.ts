import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { RenditionsTable } from '../../../../platform/db/tables/encoding.ts'
import { nullable } from '../../../../platform/http/requests/schemas.ts'

export type RenditionRow = Selectable<RenditionsTable>

/**
 * Returns the size of a rendition in bytes. A passthrough rendition takes no storage; its size is that of its
 * samples.
 */
const sizeOf = ({ delivery, segments, size_bytes }: RenditionRow): number =>
  delivery === 'in_place'
    ? (JSON.parse(segments) as [number, number, number][]).reduce((sum, [, , bytes]) => sum + bytes, 0)
    : size_bytes

/** Whether the list of segments is final. Those of a rung that is encoded on demand may have yet to be made. */
export const hasAllSegments = ({ state }: Pick<RenditionRow, 'state'>): boolean =>
  state === 'complete' || state === 'on_demand'

/** H.264 plays everywhere. */
export const isH264 = ({ codec }: Pick<RenditionRow, 'codec'>): boolean => codec.startsWith('avc')

/** Bytes of a rung that is encoded on demand are counted with its first segment. */
const stateOf = ({ state, size_bytes }: RenditionRow): 'ready' | 'partial' | 'on-demand' => {
  if (state === 'complete') return 'ready'
  return state === 'on_demand' && size_bytes === 0 ? 'on-demand' : 'partial'
}

export const renderRendition = (rendition: RenditionRow) => ({
  Id: rendition.id,
  Name: rendition.name,
  Type: rendition.kind,
  Language: rendition.language,
  Label: rendition.label,
  IsComplete: rendition.state === 'complete',
  State: stateOf(rendition),
  Codec: rendition.codec,
  Width: rendition.width_pixels,
  Height: rendition.height_pixels,
  FPS: rendition.frame_rate,
  BitRate: rendition.average_bits_per_second,
  PeakBitRate: rendition.peak_bits_per_second,
  Size: sizeOf(rendition),
})

export const renditionsSchema = Type.Array(
  Type.Object({
    Id: Type.Integer({ description: 'Identifier of the rendition.' }),
    Name: Type.String({ examples: ['720p'], description: 'Short name, such as `720p`.' }),
    Type: Type.Union([Type.Literal('video'), Type.Literal('audio')], { description: 'Kind of track.' }),
    Language: nullable(
      Type.String(),
      'Language of an audio track (BCP 47). Null if the source does not name it.',
    ),
    Label: nullable(Type.String(), 'Name of an audio track in the menu of the player. Null for video.'),
    IsComplete: Type.Boolean({ description: 'Whether the rendition is encoded completely.' }),
    State: Type.Union([Type.Literal('ready'), Type.Literal('partial'), Type.Literal('on-demand')], {
      description:
        '`ready`: all segments can be loaded at once. `partial`: some have yet to be encoded. `on-demand`: none is encoded until viewers need it.',
    }),
    Codec: Type.String({ description: 'Codec string (RFC 6381).', examples: ['avc1.64001f'] }),
    Width: nullable(Type.Integer(), 'Width in pixels. Null for audio.'),
    Height: nullable(Type.Integer(), 'Height in pixels. Null for audio.'),
    FPS: nullable(Type.Number(), 'Frames per second. Null for audio.'),
    BitRate: Type.Integer({ description: 'Average bit rate in bits per second.' }),
    PeakBitRate: Type.Integer({ description: 'Peak bit rate in bits per second.' }),
    Size: Type.Integer({ description: 'Size in bytes.' }),
  }),
  { description: 'Encoded versions of the video and audio tracks.' },
)
