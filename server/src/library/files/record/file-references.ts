import { Type, type Static } from 'typebox'
import { catalogElement, type CatalogEntryRow } from '../../catalog/catalog-record.ts'
import { lockEntriesInUse } from '../../catalog/catalog-store.ts'
import { findIabCategory } from '../../catalog/iab-taxonomy.ts'
import { described, idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { CatalogKind } from '../../../platform/db/tables/catalog.ts'
import { invalidField, type Problem } from '../../../platform/base/problem.ts'

/** References in the metadata of a file, as stored with it. Labels are copies of the catalog. */
export interface FileReferences {
  readonly Category: readonly { Id: number; Label: string; CustomId: string }[]
  readonly IABCategory: readonly { Id: number; Label: string; IABId: string }[]
  readonly Share: readonly { Id: number; Label: string }[]
  readonly Videotype: readonly { Id: number; Label: string }[]
}

export const fieldOfKind = {
  category: 'Category',
  share: 'Share',
  videotype: 'Videotype',
} as const satisfies Record<CatalogKind, keyof FileReferences>

const catalogKinds = Object.keys(fieldOfKind) as CatalogKind[]

const key = Type.String({ minLength: 1, maxLength: 255 })
const entryId = described(idSchema, 'Identifier of the entry.')
const referenceSchema = Type.Union([
  idSchema,
  Type.Object({ Id: entryId }),
  Type.Object({ CustomId: described(key, 'Identifier of the entry in your systems.') }),
])
const iabReferenceSchema = Type.Union([
  idSchema,
  Type.Object({ Id: entryId }),
  Type.Object({ IABId: described(key, 'Identifier in the IAB Content Taxonomy, such as `IAB1-6`.') }),
])

const maxItems = 100

export const referencesSchema = (what: string) =>
  Type.Array(referenceSchema, {
    maxItems,
    description: `${what}, each as an Id or an object with \`Id\` or \`CustomId\`.`,
    examples: [[5, { CustomId: 'cms-17' }]],
  })

export const iabReferencesSchema = Type.Array(iabReferenceSchema, {
  maxItems,
  description: 'IAB categories, each as an Id or an object with `Id` or `IABId`.',
  examples: [[1744, { IABId: 'IAB1-6' }]],
})

type Reference = Static<typeof referenceSchema>
type IabReference = Static<typeof iabReferenceSchema>

export interface ReferencesWrite {
  readonly Category?: readonly Reference[] | null
  readonly IABCategory?: readonly IabReference[] | null
  readonly Share?: readonly Reference[] | null
  readonly Videotype?: readonly Reference[] | null
}

const idOf = (reference: Reference | IabReference): number | null => {
  if (typeof reference === 'number') return reference
  return 'Id' in reference ? reference.Id : null
}

const customIdOf = (reference: Reference | IabReference): string | null =>
  typeof reference === 'object' && 'CustomId' in reference && !('Id' in reference) ? reference.CustomId : null

const iabIdOf = (reference: Reference | IabReference): string =>
  typeof reference === 'object' && 'IABId' in reference ? reference.IABId : ''

const listPaths = {
  Category: '/v3/modules/categories',
  Videotype: '/v3/modules/videotypes',
  Share: '/v3/modules/shares',
  IABCategory: '/v3/modules/iabcategories',
} as const

/**
 * Returns the problem for an unknown reference. `path` is its place in the request body, such as
 * `Metadata.Category[0]`.
 */
const unknownReference = (
  field: keyof typeof listPaths,
  path: string,
  reference: Reference | IabReference,
): Problem => {
  const isKnownBy = (name: string) => typeof reference === 'object' && name in reference
  const name = ['Id', 'CustomId', 'IABId'].find(isKnownBy)
  const value =
    name === undefined || name === 'Id' ? idOf(reference) : (customIdOf(reference) ?? iabIdOf(reference))
  return invalidField(name === undefined ? path : `${path}.${name}`, 'unknown_reference', {
    name: name ?? 'Id',
    value: String(value),
    path: listPaths[field],
  })
}

const withoutRepeats = <T extends { Id: number }>(elements: readonly T[]): T[] => [
  ...new Map(elements.map((element) => [element.Id, element])).values(),
]

const resolveIab = (written: readonly IabReference[], at: string): FileReferences['IABCategory'] =>
  withoutRepeats(
    written.map((reference, index) => {
      const found = findIabCategory(idOf(reference) ?? iabIdOf(reference))
      if (found === null) throw unknownReference('IABCategory', `${at}IABCategory[${index}]`, reference)
      return { Id: found.id, Label: found.label, IABId: found.iabId }
    }),
  )

const resolveCatalog = (
  kind: CatalogKind,
  written: readonly Reference[],
  entries: readonly CatalogEntryRow[],
  { known, at }: { readonly known: FileReferences | undefined; readonly at: string },
) => {
  const field = fieldOfKind[kind]
  const ofKind = entries.filter((entry) => entry.kind === kind)
  return withoutRepeats(
    written.flatMap((reference, index) => {
      const id = idOf(reference)
      const customId = customIdOf(reference)
      const found = ofKind.find((entry) => (id === null ? entry.custom_id === customId : entry.id === id))
      if (found !== undefined) return [catalogElement(found)]
      // The entry was deleted, and a job has yet to remove it from the record that the caller has read.
      if (known?.[field].some(({ Id }) => Id === id) === true) return []
      throw unknownReference(field, `${at}${field}[${index}]`, reference)
    }),
  )
}

/**
 * Resolves the references of a write within the account, and locks the entries against renames and deletion
 * until the transaction ends. Must be called before the file is locked: a rename waits for the entry, never
 * for a file. Keeps the order and removes repeats. Throws 'invalid' for unknown references, but leaves out those
 * of `known`, the record before the write. `at` is the prefix of field names in problems.
 */
export const resolveReferences = async (
  tx: Tx,
  accountId: number,
  write: ReferencesWrite,
  place: { readonly known: FileReferences | undefined; readonly at: string },
): Promise<Partial<FileReferences>> => {
  const written = catalogKinds.flatMap((kind) => write[fieldOfKind[kind]] ?? [])
  const entries = await lockEntriesInUse(tx, accountId, {
    ids: written.map(idOf).filter((id) => id !== null),
    customIds: written.map(customIdOf).filter((customId) => customId !== null),
  })
  const resolved: Record<string, unknown> = {}
  for (const kind of catalogKinds) {
    const references = write[fieldOfKind[kind]]
    if (references !== undefined)
      resolved[fieldOfKind[kind]] = resolveCatalog(kind, references ?? [], entries, place)
  }
  if (write.IABCategory !== undefined) resolved['IABCategory'] = resolveIab(write.IABCategory ?? [], place.at)
  return resolved
}

/**
 * Returns the references of a file as the catalog has them now: renamed entries with their new names, deleted
 * ones removed. Must be called before the file is locked. Until then, a client may change those of a file that
 * is not deleted.
 */
export const refreshReferences = async (
  tx: Tx,
  accountId: number,
  fileId: number,
): Promise<Partial<FileReferences>> => {
  const file = await tx
    .selectFrom('media_files')
    .select('metadata')
    .where('account_id', '=', accountId)
    .where('id', '=', fileId)
    .executeTakeFirst()
  const stored = file?.metadata as FileReferences | undefined
  if (stored === undefined) return {}
  const ids = catalogKinds.flatMap((kind) => stored[fieldOfKind[kind]].map(({ Id }) => Id))
  const entries = await lockEntriesInUse(tx, accountId, { ids, customIds: [] })
  return Object.fromEntries(
    catalogKinds.map((kind) => [
      fieldOfKind[kind],
      stored[fieldOfKind[kind]].flatMap(({ Id }) =>
        entries.filter(({ id }) => id === Id).map(catalogElement),
      ),
    ]),
  )
}
