import { Type, type Static } from 'typebox'
import { described, idSchema, nullable } from '../../platform/http/requests/schemas.ts'
import { externalIdSchema } from '../projects/external-id.ts'
import { releaseStatusSchema } from '../projects/project-record.ts'
import { nameSchema, typeSchema } from './playlist-record.ts'
import { rulesWriteSchema } from './rules/playlist-rules.ts'

const elementWriteSchema = Type.Union(
  [
    Type.Object({ FileId: described(idSchema, 'Identifier of the file.') }, { examples: [{ FileId: 17 }] }),
    idSchema,
  ],
  { description: 'A file, as its Id or as an object with `FileId`.' },
)

export const elementsWriteSchema = (maxElements: number, minItems = 0) =>
  Type.Array(elementWriteSchema, {
    minItems,
    maxItems: maxElements,
    description: `Files of a manual playlist in order, at most ${maxElements}. A file may occur more than once.`,
  })

export type ElementsWrite = Static<ReturnType<typeof elementsWriteSchema>>

const writeFields = (maxElements: number) => ({
  ExternalId: Type.Optional(externalIdSchema('the account')),
  Description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }), 'Description of the playlist.')),
  ProjectId: Type.Optional(
    nullable(idSchema, 'Project whose files the playlist may hold. Null means every project of the account.'),
  ),
  ReleaseStatus: Type.Optional(
    nullable(
      releaseStatusSchema,
      'Release status. Viewers can only watch `published` playlists. Null uses the default of the project, or `unpublished`.',
    ),
  ),
  Elements: Type.Optional(nullable(elementsWriteSchema(maxElements))),
  Rules: Type.Optional(nullable(rulesWriteSchema)),
})

const writeExample = {
  Name: 'Highlights of the week',
  Type: 'manual',
  ProjectId: 3,
  ReleaseStatus: 'published',
  Elements: [{ FileId: 17 }, { FileId: 12 }],
}

export const playlistCreateSchema = (maxElements: number) =>
  Type.Object(
    { Name: nameSchema, Type: Type.Optional(typeSchema), ...writeFields(maxElements) },
    { examples: [writeExample] },
  )

export const playlistUpdateSchema = (maxElements: number) =>
  Type.Object(
    { Name: Type.Optional(nameSchema), Type: Type.Optional(typeSchema), ...writeFields(maxElements) },
    { examples: [{ Name: 'Highlights', Elements: [{ FileId: 12 }, { FileId: 17 }] }] },
  )

export type PlaylistCreate = Static<ReturnType<typeof playlistCreateSchema>>
export type PlaylistUpdate = Static<ReturnType<typeof playlistUpdateSchema>>
