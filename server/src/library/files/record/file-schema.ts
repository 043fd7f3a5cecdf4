import { Type } from 'typebox'
import { messageParamsSchema, reasonFields } from '../../../platform/http/openapi/message-schema.ts'
import {
  deletionFields,
  described,
  idSchema,
  nullable,
  timestampSchema,
} from '../../../platform/http/requests/schemas.ts'
import { externalIdSchema } from '../../projects/external-id.ts'
import { createdFileExample, fileExample } from './file-example.ts'
import { captionSchema } from './parts/caption-record.ts'
import { propertiesSchema } from './parts/file-properties.ts'
import { fileStates } from './parts/file-state.ts'
import { metadataSchema } from './parts/metadata-schema.ts'
import { filePlayoutSchema } from './parts/playout-record.ts'
import { renditionsSchema } from './parts/rendition-record.ts'

export const fileSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the file.'),
    ProjectId: described(idSchema, 'Project that the file belongs to.'),
    ExternalId: externalIdSchema('its project'),
    Name: Type.String({ description: 'Name of the stored file.' }),
    Status: Type.Union(
      fileStates.map((state) => Type.Literal(state)),
      {
        description:
          'State of processing. `playable` means that viewers can watch while encoding continues; `degraded` means that some renditions failed.',
      },
    ),
    IsFinished: Type.Boolean({ description: 'Whether processing has ended, with or without errors.' }),
    IsEncoded: Type.Boolean({ description: 'Whether at least one rendition can be played.' }),
    IsPlayable: Type.Boolean({ description: 'Whether the file can be played. Same as `IsEncoded`.' }),
    IsEnabled: Type.Boolean({ description: 'False if the file is deleted.' }),
    UseEncoding: Type.Boolean({
      description:
        'Whether the file is transcoded. False packages the source as it is where its codecs allow it.',
    }),
    EncodingPriority: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Priority in the encoding queue, 0 to 100. Higher values go first.',
    }),
    EncodingProgress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress of encoding in percent.',
    }),
    EstimatedReadyAt: nullable(
      timestampSchema,
      'Estimated end of processing. Null while it is unknown and after the end.',
    ),
    HasErrors: Type.Boolean({ description: 'Whether processing failed, wholly or in part.' }),
    ErrorMessage: nullable(Type.String(), 'What failed. Null unless `HasErrors`.'),
    Metadata: metadataSchema,
    Properties: propertiesSchema,
    Renditions: renditionsSchema,
    Playouts: Type.Array(filePlayoutSchema, { description: 'URLs under which the file is played.' }),
    Captions: Type.Array(captionSchema, { description: 'Subtitles, captions and chapters.' }),
    Checksum: nullable(
      Type.String(),
      'Checksum of the source as `sha256:<hex>`. Null unless the upload named one.',
    ),
    Source: Type.Object(
      {
        Kind: Type.String({ description: 'Origin: `upload`, `url`, `recording` or `clip`.' }),
        URI: nullable(
          Type.String(),
          'URL that was fetched, or for a clip the file it was cut from with `#t=start,end` in seconds. Null for uploads.',
        ),
      },
      { description: 'Where the media came from.' },
    ),
    CreatedBy: nullable(Type.Integer(), 'User whose key or session created the file. Null if unknown.'),
    Timings: Type.Object(
      {
        UploadedAt: nullable(timestampSchema, 'Time at which all bytes were stored. Null before.'),
        PlayableAt: nullable(timestampSchema, 'Time at which the file could first be played. Null before.'),
        EncodedAt: nullable(timestampSchema, 'Time at which encoding ended. Null before.'),
      },
      { description: 'When each step of processing was reached.' },
    ),
    CreatedAt: described(timestampSchema, 'Time at which the file was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the file.'),
    ...deletionFields,
    Warnings: Type.Array(
      Type.Object({
        Code: Type.String({
          description:
            '`subtitles_not_converted`, `subtitles_left_out` or `closed_captions_not_converted`; more may follow.',
        }),
        Message: Type.String({ description: 'Explanation for people.' }),
        ...reasonFields,
      }),
      {
        description:
          'Parts of the source that viewers do not get, such as picture-based subtitles. The file can be used.',
      },
    ),
    ErrorReason: nullable(
      Type.String({ examples: ['file_not_media'] }),
      'Stable name of `ErrorMessage`, for translations. Null without an error, and for errors of older releases.',
    ),
    ErrorParams: nullable(messageParamsSchema, 'Values in `ErrorMessage`. Null without `ErrorReason`.'),
    LadderMode: Type.Union([Type.Literal('eager'), Type.Literal('on-demand'), Type.Literal('auto')], {
      description: 'When its renditions are encoded: `LadderMode` of the project when the file was created.',
    }),
  },
  {
    description: 'A video or audio file. Responses and webhooks carry the same record.',
    examples: [fileExample, createdFileExample],
  },
)
