import type { MediaFile } from '@zoetrope/sdk'
import type { Edits, Fields } from '../../ui/forms/record/record-edits.ts'

const customPrefix = 'CustomMetadata.'
export const customField = (name: string): string => `${customPrefix}${name}`
/** Custom fields that the project does not define, as JSON. */
export const otherFields = 'OtherCustomMetadata'

const ownNames = ['EncodingPriority', 'ExternalId']
const catalogNames = ['Category', 'Videotype', 'Share', 'IABCategory'] as const
const instantNames = ['IsPublicAt', 'IsPublicUntil'] as const
const plainNames = [
  ...['Title', 'Description', 'DisplayTitle', 'DisplayTitleSecondLine', 'ReleaseStatus', 'Tags'],
  ...['Genre', 'Series', 'NativeLanguage', 'ProgramId', 'Rating', 'Latitude', 'Longitude'],
]

/** Normalizes an instant, so that two can be compared. */
const instant = (value: string | null): string | null =>
  value === null ? null : new Date(value).toISOString()

const numerically = (a: number, b: number): number => a - b

/** A custom field is `CustomMetadata.<name>`. */
export const fieldsOf = (
  { ExternalId, Metadata, EncodingPriority }: MediaFile,
  typedNames: readonly string[],
): Fields => {
  const typed = new Set(['adsDisabled', ...typedNames])
  const custom = Object.entries(Metadata.CustomMetadata)
  const others = Object.fromEntries(custom.filter(([name]) => !typed.has(name)))
  const all: Fields = { ...Metadata }
  return {
    // A text field is empty when the record has null.
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

/** Returns null for text that is no JSON object. */
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

/** Returns only edited custom fields, because the API merges them by name; null removes one. */
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

/** Body of `files.update` with only the edited fields. */
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
