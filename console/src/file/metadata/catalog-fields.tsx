import { MultiSelect, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { catalogQuery, type CatalogName } from './catalog-query.ts'
import { useField, useMetadata } from './fields-context.ts'

/** Longer lists are unreadable; typing filters the choices. */
const shownChoices = 100

const CatalogField = ({ name }: { readonly name: CatalogName }) => {
  const t = useTexts('file.catalog')
  const { form } = useMetadata()
  const { value, set, error, disabled } = useField(name)
  const { data: choices = [] } = useQuery(catalogQuery(name))
  const labels = new Map([...form.file.Metadata[name], ...choices].map(({ Id, Label }) => [Id, Label]))
  const ids: number[] = Array.isArray(value) ? value.map(Number) : []
  const labelOf = (id: number): string => labels.get(id) ?? t('unknown', { id })
  return (
    <MultiSelect
      label={t(name)}
      data={[...new Set([...ids, ...labels.keys()])].map((id) => ({
        value: String(id),
        label: labelOf(id),
      }))}
      value={ids.map(String)}
      searchable
      clearable={!disabled}
      maxValues={100}
      limit={shownChoices}
      nothingFoundMessage={t('nothing')}
      error={error}
      disabled={disabled}
      onChange={(next) => set(next.map(Number).toSorted((a, b) => a - b))}
    />
  )
}

export const CatalogFields = () => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <CatalogField name="Category" />
    <CatalogField name="Videotype" />
    <CatalogField name="Share" />
    <CatalogField name="IABCategory" />
  </SimpleGrid>
)
