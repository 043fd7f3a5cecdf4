import type { MediaFile } from '@zoetrope/sdk'

type FileRecord = Pick<MediaFile, 'Metadata' | 'Captions' | 'EncodingPriority'>

const ignored = new Set(['CustomMetadata'])

/**
 * Returns the metadata fields that differ from the previous event: `Title`, `CustomMetadata.department`,
 * `Captions`.
 */
export const changesBetween = (before: FileRecord, after: FileRecord): string[] => {
  const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)
  const namesOf = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const changed = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): string[] =>
    namesOf(a, b).filter((name) => !ignored.has(name) && differ(a[name], b[name]))
  return [
    ...changed({ ...before.Metadata }, { ...after.Metadata }),
    ...changed(before.Metadata.CustomMetadata, after.Metadata.CustomMetadata).map(
      (name) => `CustomMetadata.${name}`,
    ),
    ...(differ(before.Captions, after.Captions) ? ['Captions'] : []),
    ...(before.EncodingPriority === after.EncodingPriority ? [] : ['EncodingPriority']),
  ]
}
