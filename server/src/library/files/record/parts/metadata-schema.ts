import { Type } from 'typebox'
import { described, nullable, timestampSchema } from '../../../../platform/http/requests/schemas.ts'
import { releaseStatusSchema } from '../../../projects/project-record.ts'
import { pictureSchema } from './picture-record.ts'

const element = (extra: Record<string, ReturnType<typeof Type.String>> = {}) =>
  Type.Array(
    Type.Object({
      Id: Type.Integer({ description: 'Identifier of the entry.' }),
      Label: Type.String({ description: 'Name of the entry.' }),
      ...extra,
    }),
  )

export const metadataSchema = Type.Object(
  {
    StandardFilePicture: nullable(pictureSchema, 'Poster of the file. Null if there is none.'),
    Title: Type.String({ description: 'Title, also shown in the player. May be empty.' }),
    Description: Type.String({ description: 'Description. May be empty.' }),
    DisplayTitle: Type.String({
      description: 'Title for viewers, if it differs from `Title`. May be empty.',
    }),
    DisplayTitleSecondLine: Type.String({
      description: 'Second line of the title for viewers. May be empty.',
    }),
    ReleaseStatus: releaseStatusSchema,
    Category: described(
      element({
        CustomId: Type.String({ description: 'Identifier in your systems. Empty if none was given.' }),
      }),
      'Categories of the file.',
    ),
    IABCategory: described(
      element({ IABId: Type.String({ description: 'Identifier in the IAB Content Taxonomy.' }) }),
      'Categories of the IAB Content Taxonomy.',
    ),
    Share: described(element(), 'Destinations to share the file with.'),
    Videotype: described(element(), 'Video types of the file.'),
    Tags: Type.Array(Type.String(), { description: 'Tags of the file.' }),
    IsPublicAt: nullable(
      timestampSchema,
      'Start of the time in which viewers can watch a published file. Null means no start.',
    ),
    IsPublicUntil: nullable(
      timestampSchema,
      'End of the time in which viewers can watch a published file. Null means no end.',
    ),
    Genre: Type.String({ description: 'Genre. May be empty.' }),
    Series: Type.String({ description: 'Name of the series. May be empty.' }),
    NativeLanguage: Type.String({ description: 'Original language (BCP 47). May be empty.' }),
    ProgramId: Type.String({ description: 'Identifier of the program in your systems. May be empty.' }),
    Rating: Type.String({ description: 'Age rating. May be empty.' }),
    Latitude: nullable(Type.Number(), 'Latitude of the place in degrees. Null if unknown.'),
    Longitude: nullable(Type.Number(), 'Longitude of the place in degrees. Null if unknown.'),
    OriginalFileName: Type.String({ description: 'Name of the file when it was uploaded.' }),
    CustomMetadata: Type.Object(
      { adsDisabled: Type.Boolean({ description: 'Whether your player must not show ads.' }) },
      {
        additionalProperties: true,
        description: 'Your own fields, as `MetadataFields` of the project define them.',
      },
    ),
  },
  { description: 'Metadata of the file, set by editors and your systems.' },
)
