import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import type { CatalogEntriesTable } from '../../platform/db/tables/catalog.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { CatalogVocabulary } from './catalog-kinds.ts'

export type CatalogEntryRow = Selectable<CatalogEntriesTable>

const maxLength = 255

const labelSchema = Type.String({
  minLength: 1,
  maxLength,
  pattern: '\\S',
  description: 'Name of the entry. It must be unique, ignoring case.',
})

const customIdSchema = nullable(
  Type.String({
    maxLength,
    description: 'Identifier in your systems. It must be unique. Empty or null means none.',
  }),
)

export const entryUpdateSchema = Type.Object(
  { Label: Type.Optional(labelSchema), CustomId: Type.Optional(customIdSchema) },
  {
    description: 'A partial update. Absent fields keep their values; null clears them.',
    examples: [{ Label: 'Renamed' }],
  },
)

export const entryCreateSchema = ({ exampleLabel }: CatalogVocabulary) =>
  Type.Object(
    { Label: labelSchema, CustomId: Type.Optional(customIdSchema) },
    { examples: [{ Label: exampleLabel, CustomId: 'cms-17' }] },
  )

export type EntryUpdate = Static<typeof entryUpdateSchema>

export const catalogEntrySchema = ({ meaning, exampleLabel }: CatalogVocabulary) =>
  Type.Object(
    {
      Id: described(idSchema, 'Identifier of the entry.'),
      Label: Type.String({ description: 'Name of the entry.' }),
      CustomId: Type.String({ description: 'Identifier in your systems. Empty if none was given.' }),
      IsEnabled: Type.Boolean({ description: 'False if the entry is deleted.' }),
      CreatedAt: described(timestampSchema, 'Time at which the entry was created.'),
      LastUpdateAt: described(timestampSchema, 'Time of the last change of the entry.'),
    },
    {
      description: meaning,
      examples: [
        {
          Id: 5,
          Label: exampleLabel,
          CustomId: 'cms-17',
          IsEnabled: true,
          CreatedAt: '2026-03-01T12:00:00.000+00:00',
          LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
        },
      ],
    },
  )

/**
 * Converts a catalog_entries row to its API record. Deleted entries have no row, so IsEnabled is always true.
 */
export const catalogRecord = (row: CatalogEntryRow) => ({
  Id: row.id,
  Label: row.label,
  CustomId: row.custom_id,
  IsEnabled: true,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})

/** Returns the entry as file metadata embeds it. Only categories have a CustomId there. */
export const catalogElement = (row: Pick<CatalogEntryRow, 'id' | 'kind' | 'label' | 'custom_id'>) => ({
  Id: row.id,
  Label: row.label,
  ...(row.kind === 'category' ? { CustomId: row.custom_id } : {}),
})
