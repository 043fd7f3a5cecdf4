import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { FileCaptionsTable } from '../../../../platform/db/tables/captions.ts'
import type { MediaFilesTable } from '../../../../platform/db/tables/files.ts'
import { described, idSchema } from '../../../../platform/http/requests/schemas.ts'

export type FileCaptionRow = Selectable<FileCaptionsTable>

export const captionRecord = (
  caption: FileCaptionRow,
  file: Pick<Selectable<MediaFilesTable>, 'playout_id'>,
  baseUrl: string,
) => ({
  Id: caption.id,
  Language: caption.language,
  Label: caption.label,
  Kind: caption.kind,
  IsDefault: caption.is_default,
  URI: `${baseUrl}/v/${file.playout_id}/captions/${caption.public_id}.vtt`,
  Origin: caption.origin,
})

export const kindMeaning =
  '`captions` also describe sounds, for deaf viewers. `chapters` are titles of parts, which the player marks and lists.'

export const captionSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the caption track.'),
    Language: Type.String({ description: 'Language tag (BCP 47).' }),
    Label: Type.String({ description: 'Name in the caption menu of the player.' }),
    Kind: Type.Union([Type.Literal('subtitles'), Type.Literal('captions'), Type.Literal('chapters')], {
      description: kindMeaning,
    }),
    IsDefault: Type.Boolean({
      description: 'Whether the player shows this track until the viewer picks another.',
    }),
    URI: Type.String({
      format: 'uri',
      description: 'URL of the track in WebVTT. It needs the same token as the video.',
    }),
    Origin: Type.Union([Type.Literal('upload'), Type.Literal('source')], {
      description:
        '`source`: read from the source of the file, and replaced with it. `upload`: sent by a user, kept.',
    }),
  },
  {
    description: 'Subtitles, captions or chapters in one language.',
    examples: [
      {
        Id: 3,
        Language: 'en',
        Label: 'English',
        Kind: 'subtitles',
        IsDefault: true,
        URI: 'https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/captions/9e1c7ad2-52c4-4f5e-9df1-6b6f0a7a3f55.vtt',
        Origin: 'upload',
      },
    ],
  },
)
