import { Type, type Static } from 'typebox'
import { idSchema, nullable } from '../http/schemas.ts'
import { externalIdSchema } from '../projects/external-id.ts'
import { releaseStatusSchema } from '../projects/project-record.ts'
import { nameSchema, typeSchema } from './playlist-record.ts'
import { rulesWriteSchema } from './playlist-rules.ts'

const elementWriteSchema = Type.Union(
  [Type.Object({ FileId: idSchema }, { examples: [{ FileId: 17 }] }), idSchema],
  { description: 'A file: an object with its FileId, or just the id.' },
)

export const elementsWriteSchema = (maxElements: number, minItems = 0) =>
  Type.Array(elementWriteSchema, {
    minItems,
    maxItems: maxElements,
    description: `The files of a manual playlist in order, ${maxElements} at most; a file may stand in it more than once.`,
  })

export type ElementsWrite = Static<ReturnType<typeof elementsWriteSchema>>

const writeFields = (maxElements: number) => ({
  ExternalId: Type.Optional(externalIdSchema('the account')),
  Description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  ProjectId: Type.Optional(
    nullable({
      ...idSchema,
      description: 'Only files of this project; null = files of all projects of the account.',
    }),
  ),
  ReleaseStatus: Type.Optional(
    nullable({
      ...releaseStatusSchema,
      description:
        "Viewers get a playlist only when it is published. Null = the project's default, or unpublished.",
    }),
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
