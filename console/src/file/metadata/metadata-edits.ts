import type { MediaFile } from '@zoetrope/sdk'

/** What can be changed of a file, flat: a custom field is `CustomMetadata.<name>`. */
export type Fields = Readonly<Record<string, unknown>>

interface Edit {
  readonly value: unknown
  /** What stood there when the person began: another value now means that somebody else has changed it. */
  readonly base: unknown
}

/** Only what differs from the record. */
export type Edits = Readonly<Record<string, Edit>>

const customPrefix = 'CustomMetadata.'
export const customField = (name: string): string => `${customPrefix}${name}`
/** The custom fields that the project does not name, as JSON. */
export const otherFields = 'OtherCustomMetadata'

/** Fields of the file itself, beside its metadata. */
const ownNames = ['EncodingPriority', 'ExternalId']
const catalogNames = ['Category', 'Videotype', 'Share', 'IABCategory'] as const
const instantNames = ['IsPublicAt', 'IsPublicUntil'] as const
const plainNames = [
  ...['Title', 'Description', 'DisplayTitle', 'DisplayTitleSecondLine', 'ReleaseStatus', 'Tags'],
  ...['Genre', 'Series', 'NativeLanguage', 'ProgramId', 'Rating', 'Latitude', 'Longitude'],
]

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One way to write an instant, so that two can be compared. */
const instant = (value: string | null): string | null =>
  value === null ? null : new Date(value).toISOString()

const numerically = (a: number, b: number): number => a - b

export const fieldsOf = (
  { ExternalId, Metadata, EncodingPriority }: MediaFile,
  typedNames: readonly string[],
): Fields => {
  const typed = new Set(['adsDisabled', ...typedNames])
  const custom = Object.entries(Metadata.CustomMetadata)
  const others = Object.fromEntries(custom.filter(([name]) => !typed.has(name)))
  const all: Fields = { ...Metadata }
  return {
    // A text field is empty where the record has null.
    ExternalId: ExternalId ?? '',
    EncodingPriority,
    ...Object.fromEntries(plainNames.map((name) => [name, all[name]])),
    ...Object.fromEntries(instantNames.map((name) => [name, instant(Metadata[name])])),
    ...Object.fromEntries(
      catalogNames.map((name) => [name, Metadata[name].map(({ Id }) => Id).toSorted(numerically)]),
    ),
    ...Object.fromEntries(
      [...typed].map((name) => [customField(name), Metadata.CustomMetadata[name] ?? null]),
    ),
    [otherFields]: Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2),
  }
}

/** Typing back what stood there is no change. */
export const withEdit = (fields: Fields, edits: Edits, name: string, value: unknown): Edits => {
  const { [name]: before, ...others } = edits
  if (same(value, fields[name])) return others
  return { ...others, [name]: { value, base: before === undefined ? fields[name] : before.base } }
}

export const withoutEdit = (edits: Edits, name: string): Edits => {
  const { [name]: _dropped, ...others } = edits
  return others
}

/** Fields that this person and somebody else have changed, to different values. */
export const conflictsOf = (fields: Fields, edits: Edits): string[] =>
  Object.entries(edits)
    .filter(([name, { value, base }]) => !same(fields[name], base) && !same(fields[name], value))
    .map(([name]) => name)

/** The person has seen what the other wrote, and stays with their own. */
export const insistOn = (fields: Fields, edits: Edits, names: readonly string[]): Edits => ({
  ...edits,
  ...Object.fromEntries(
    names.map((name) => [name, { value: edits[name]?.value, base: fields[name] }] as const),
  ),
})

/** What is left of the edits once those that were sent stand in the record: what was typed meanwhile. */
export const afterSave = (fields: Fields, edits: Edits, sent: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([name, edit]) => {
      const before = sent[name]
      if (before === undefined) return [[name, edit]]
      return same(edit.value, before.value) ? [] : [[name, { value: edit.value, base: fields[name] }]]
    }),
  )

/** Null for what is no JSON object. */
export const parseOthers = (text: unknown): Record<string, unknown> | null => {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null
  } catch {
    return null
  }
}

/** The edited custom fields alone, because the API merges them by name; null removes one. */
const customMetadataOf = (
  file: MediaFile,
  edits: Edits,
  typedNames: readonly string[],
): Record<string, unknown> => {
  const typed = new Set(['adsDisabled', ...typedNames])
  const { [otherFields]: others } = edits
  const untyped = Object.keys(file.Metadata.CustomMetadata).filter((name) => !typed.has(name))
  const edited = Object.entries(edits)
    .filter(([name]) => name.startsWith(customPrefix))
    .map(([name, { value }]) => [name.slice(customPrefix.length), value] as const)
  return {
    ...(others === undefined
      ? {}
      : { ...Object.fromEntries(untyped.map((name) => [name, null])), ...parseOthers(others.value) }),
    ...Object.fromEntries(edited),
  }
}

/** What `files.update` takes: the edited fields alone. */
export const bodyOf = (file: MediaFile, edits: Edits, typedNames: readonly string[]) => {
  const names = Object.keys(edits)
  const isCustom = (name: string): boolean => name === otherFields || name.startsWith(customPrefix)
  const metadata: Record<string, unknown> = Object.fromEntries(
    names
      .filter((name) => !isCustom(name) && !ownNames.includes(name))
      .map((name) => [name, edits[name]?.value]),
  )
  if (names.some(isCustom)) metadata['CustomMetadata'] = customMetadataOf(file, edits, typedNames)
  const { EncodingPriority: priority, ExternalId: externalId } = edits
  return {
    ...(externalId === undefined
      ? {}
      : { ExternalId: externalId.value === '' ? null : String(externalId.value) }),
    ...(priority === undefined ? {} : { EncodingPriority: Number(priority.value) }),
    ...(Object.keys(metadata).length === 0 ? {} : { Metadata: metadata }),
  }
}
