import { Type, type Static } from 'typebox'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { ReleaseStatus } from '../../../platform/db/tables/projects.ts'
import { nullable, parseInstant, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { defaultsOf, type MetadataField } from '../../projects/settings/metadata-fields.ts'
import { metadataFieldsOf, releaseStatusSchema, type ProjectRow } from '../../projects/project-record.ts'
import { applyCustomMetadata, customMetadataWriteSchema, type CustomMetadata } from './custom-metadata.ts'
import {
  iabReferencesSchema,
  referencesSchema,
  resolveReferences,
  type FileReferences,
} from './file-references.ts'

const shortText = Type.String({ maxLength: 500 })

/**
 * Fields that a client may write; absent = unchanged, `null` = cleared. Unknown and read-only fields are
 * ignored.
 */
export const metadataWriteSchema = Type.Object(
  {
    Title: Type.Optional(nullable(shortText, 'Title, also shown in the player.')),
    Description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }), 'Description of the file.')),
    DisplayTitle: Type.Optional(nullable(shortText, 'Title for viewers, if it differs from `Title`.')),
    DisplayTitleSecondLine: Type.Optional(nullable(shortText, 'Second line of the title for viewers.')),
    ReleaseStatus: Type.Optional(nullable(releaseStatusSchema)),
    Category: Type.Optional(nullable(referencesSchema('Categories'))),
    IABCategory: Type.Optional(nullable(iabReferencesSchema)),
    Share: Type.Optional(nullable(referencesSchema('Shares'))),
    Videotype: Type.Optional(nullable(referencesSchema('Video types'))),
    Tags: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
        'Tags. A new list replaces the current one.',
      ),
    ),
    IsPublicAt: Type.Optional(
      nullable(
        timestampSchema,
        'Start of the time in which viewers can watch a published file. Null means no start.',
      ),
    ),
    IsPublicUntil: Type.Optional(
      nullable(
        timestampSchema,
        'End of the time in which viewers can watch a published file. Null means no end.',
      ),
    ),
    Genre: Type.Optional(nullable(shortText, 'Genre, as free text.')),
    Series: Type.Optional(nullable(shortText, 'Name of the series.')),
    NativeLanguage: Type.Optional(nullable(Type.String({ maxLength: 35 }), 'Original language (BCP 47).')),
    ProgramId: Type.Optional(nullable(shortText, 'Identifier of the program in your systems.')),
    Rating: Type.Optional(nullable(shortText, 'Age rating, as free text.')),
    Latitude: Type.Optional(
      nullable(Type.Number({ minimum: -90, maximum: 90 }), 'Latitude of the place in degrees.'),
    ),
    Longitude: Type.Optional(
      nullable(Type.Number({ minimum: -180, maximum: 180 }), 'Longitude of the place in degrees.'),
    ),
    CustomMetadata: Type.Optional(nullable(customMetadataWriteSchema)),
  },
  {
    description: 'Metadata of the file. Absent fields keep their values; null clears them.',
    examples: [
      {
        Title: 'Tides of the North',
        Category: [{ CustomId: 'cms-17' }],
        Tags: ['coast', 'winter'],
        CustomMetadata: { department: 'News' },
      },
    ],
  },
)

export type MetadataWrite = Static<typeof metadataWriteSchema>

export interface FileMetadata extends FileReferences {
  readonly Title: string
  readonly Description: string
  readonly DisplayTitle: string
  readonly DisplayTitleSecondLine: string
  readonly ReleaseStatus: ReleaseStatus
  readonly Tags: readonly string[]
  readonly IsPublicAt: string | null
  readonly IsPublicUntil: string | null
  readonly Genre: string
  readonly Series: string
  readonly NativeLanguage: string
  readonly ProgramId: string
  readonly Rating: string
  readonly Latitude: number | null
  readonly Longitude: number | null
  readonly CustomMetadata: CustomMetadata
}

export const emptyMetadata = (
  title: string,
  releaseStatus: ReleaseStatus,
  fields: readonly MetadataField[],
): FileMetadata => ({
  Title: title,
  Description: '',
  DisplayTitle: '',
  DisplayTitleSecondLine: '',
  ReleaseStatus: releaseStatus,
  Category: [],
  IABCategory: [],
  Share: [],
  Videotype: [],
  Tags: [],
  IsPublicAt: null,
  IsPublicUntil: null,
  Genre: '',
  Series: '',
  NativeLanguage: '',
  ProgramId: '',
  Rating: '',
  Latitude: null,
  Longitude: null,
  CustomMetadata: { adsDisabled: false, ...defaultsOf(fields) },
})

const instantFields = ['IsPublicAt', 'IsPublicUntil'] as const
const plainFields = [
  'Title',
  'Description',
  'DisplayTitle',
  'DisplayTitleSecondLine',
  'ReleaseStatus',
  'Tags',
  'Genre',
  'Series',
  'NativeLanguage',
  'ProgramId',
  'Rating',
  'Latitude',
  'Longitude',
] as const

export interface MetadataRules {
  readonly references: Partial<FileReferences>
  readonly fields: readonly MetadataField[]
  /** Prefix of field names in problems. */
  readonly at: MetadataPlace
}

/** Place of the metadata in the request body: below `Metadata`, or the body itself. */
export type MetadataPlace = 'Metadata.' | ''

/**
 * Reads the rules for a write, in the same transaction. Must be called before the file is locked. `known` is the
 * record before the write.
 */
export const readMetadataRules = async (
  tx: Tx,
  project: ProjectRow,
  write: MetadataWrite,
  { at, known }: { readonly at: MetadataPlace; readonly known?: FileReferences },
): Promise<MetadataRules> => ({
  references: await resolveReferences(tx, project.account_id, write, { at, known }),
  fields: metadataFieldsOf(project),
  at,
})

/** Returns what decides whether a file is public. Changing it needs the permission to publish. */
const releaseOf = ({ ReleaseStatus, IsPublicAt, IsPublicUntil }: FileMetadata): string =>
  ReleaseStatus === 'published' ? `${IsPublicAt}–${IsPublicUntil}` : 'not released'

/**
 * Throws 'forbidden' when a principal without `files:publish` releases a file, withdraws it, or moves the
 * window of a released one.
 */
export const checkMayPublish = (
  principal: Principal,
  projectId: number,
  before: FileMetadata,
  after: FileMetadata,
): void => {
  if (releaseOf(before) !== releaseOf(after) && !principal.can('files:publish', projectId))
    throw new Problem('permission_missing', { permission: 'files:publish' })
}

/**
 * Applies a partial write. `cleared` holds the values that `null` restores, such as the default release
 * status of the project. Throws 'invalid' for values that are well-formed but impossible.
 */
export const applyMetadata = (
  before: FileMetadata,
  write: MetadataWrite,
  cleared: FileMetadata,
  { references, fields, at }: MetadataRules,
): FileMetadata => {
  const after: Record<string, unknown> = { ...before, ...references }
  for (const field of plainFields)
    if (write[field] !== undefined) after[field] = write[field] ?? cleared[field]
  for (const field of instantFields) {
    const value = write[field]
    if (value !== undefined)
      after[field] = value === null ? null : toTimestamp(parseInstant(value, `${at}${field}`))
  }
  if (write.CustomMetadata !== undefined)
    after['CustomMetadata'] = applyCustomMetadata(
      before.CustomMetadata,
      write.CustomMetadata,
      cleared.CustomMetadata,
      { fields, at: `${at}CustomMetadata` },
    )
  const result = after as unknown as FileMetadata
  if (
    result.IsPublicAt !== null &&
    result.IsPublicUntil !== null &&
    Date.parse(result.IsPublicUntil) <= Date.parse(result.IsPublicAt)
  )
    throw invalidField(`${at}IsPublicUntil`, 'not_later_than', { other: 'IsPublicAt' })
  return result
}
