import { MultiSelect, SimpleGrid } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { FieldNote, useField, useMetadata } from './field-note.tsx'

interface Choice {
  readonly Id: number
  readonly Label: string
}

type CatalogName = 'Category' | 'Videotype' | 'Share' | 'IABCategory'

const byLabel = { limit: 500, orderBy: 'label', sort: 'asc' } as const

const choicesOf = (name: CatalogName) => {
  switch (name) {
    case 'Category':
      return zoetrope.categories.list(byLabel)
    case 'Videotype':
      return zoetrope.videotypes.list(byLabel)
    case 'Share':
      return zoetrope.shares.list(byLabel)
    case 'IABCategory':
      return zoetrope.iabCategories.list(byLabel)
  }
}

const catalogQuery = (name: CatalogName) =>
  queryOptions({
    queryKey: [...queryKeys.catalog, name, 'all'],
    queryFn: async (): Promise<Choice[]> => {
      const choices: Choice[] = []
      for await (const { Id, Label } of choicesOf(name)) choices.push({ Id, Label })
      return choices
    },
  })

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
    <FieldNote
      name={name}
      describe={(theirs) => (Array.isArray(theirs) ? theirs.map((id) => labelOf(Number(id))).join(', ') : '')}
    >
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
    </FieldNote>
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
