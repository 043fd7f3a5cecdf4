import type { MediaFile } from '@zoetrope/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { formatTime } from '../../ui/format.ts'
import { catalogQuery, isCatalogName, type CatalogName } from './catalog-query.ts'
import { otherFields } from './metadata-edits.ts'

const named = [
  ...(['Title', 'Description', 'DisplayTitle', 'DisplayTitleSecondLine', 'Tags', 'Genre', 'Series'] as const),
  ...(['NativeLanguage', 'ProgramId', 'ExternalId', 'Rating', 'Latitude', 'Longitude'] as const),
  'EncodingPriority' as const,
]
const statuses = ['draft', 'unpublished', 'published'] as const
const shownLetters = 500

/** The label of a field, as its form shows it. A custom field has its own name. */
export const useFieldLabel = (): ((name: string) => string) => {
  const t = useTexts('file.metadata')
  const catalog = useTexts('file.catalog')
  const release = useTexts('file.release')
  const status = useTexts('ui.releaseStatus')
  const custom = useTexts('file.custom')
  return (name) => {
    const known = named.find((one) => one === name)
    if (known !== undefined) return t(known)
    if (isCatalogName(name)) return catalog(name)
    if (name === 'ReleaseStatus') return status('label')
    if (name === 'IsPublicAt') return release('from')
    if (name === 'IsPublicUntil') return release('until')
    if (name === otherFields) return custom('others')
    const own = name.replace('CustomMetadata.', '')
    return own === 'adsDisabled' ? custom('adsDisabled') : own
  }
}

const CatalogLabels = ({
  file,
  name,
  ids,
}: {
  readonly file: MediaFile
  readonly name: CatalogName
  readonly ids: readonly unknown[]
}) => {
  const t = useTexts('file.catalog')
  const { data: choices = [] } = useQuery(catalogQuery(name))
  const labels = new Map([...file.Metadata[name], ...choices].map(({ Id, Label }) => [Id, Label]))
  return ids.map((id) => labels.get(Number(id)) ?? t('unknown', { id: Number(id) })).join(', ')
}

/** The value of a field as text, if it is not empty. */
export const FieldText = ({
  file,
  name,
  value,
}: {
  readonly file: MediaFile
  readonly name: string
  readonly value: unknown
}) => {
  const status = useTexts('ui.releaseStatus')
  const custom = useTexts('file.custom')
  if (isCatalogName(name) && Array.isArray(value))
    return <CatalogLabels file={file} name={name} ids={value} />
  if (Array.isArray(value)) return value.join(', ').slice(0, shownLetters)
  if (typeof value === 'boolean') return custom(value ? 'yes' : 'no')
  const text = String(value)
  if (name === 'ReleaseStatus') {
    const known = statuses.find((one) => one === value)
    return known === undefined ? text : status(known)
  }
  return name === 'IsPublicAt' || name === 'IsPublicUntil' ? formatTime(text) : text.slice(0, shownLetters)
}
