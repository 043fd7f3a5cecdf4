import { Button, Fieldset, MultiSelect, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { fileStates } from './file-status.tsx'
import { isFiltered, type FilterName, type LibrarySearch } from './library-query.ts'

const listOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split(','))

const releaseStatuses = ['draft', 'unpublished', 'published'] as const

export const useCategories = () =>
  useQuery({
    queryKey: [...queryKeys.catalog, 'categories', 'choices'],
    queryFn: async ({ signal }) =>
      (await zoetrope.categories.list({ limit: 500, orderBy: 'label', sort: 'asc' }, { signal })).Categories,
  })

const useVideotypes = () =>
  useQuery({
    queryKey: [...queryKeys.catalog, 'videotypes', 'choices'],
    queryFn: async ({ signal }) =>
      (await zoetrope.videotypes.list({ limit: 500, orderBy: 'label', sort: 'asc' }, { signal })).Videotypes,
  })

const choicesOf = (records: readonly { readonly Id: number; readonly Label: string }[] = []) =>
  records.map(({ Id, Label }) => ({ value: String(Id), label: Label }))

export const LibraryFilters = ({
  search,
  onChange,
  onClear,
}: {
  readonly search: LibrarySearch
  readonly onChange: (changes: Partial<Record<FilterName, string | undefined>>) => void
  readonly onClear: () => void
}) => {
  const t = useTexts('library.screen')
  const status = useTexts('library.fileStatus')
  const released = useTexts('ui.releaseStatus')
  const categories = useCategories()
  const videotypes = useVideotypes()
  const several = (name: FilterName) => ({
    value: listOf(search[name]),
    onChange: (values: string[]) => onChange({ [name]: values.join(',') }),
    clearable: true,
  })
  const yesOrNo = (name: FilterName, yes: string, no: string) => ({
    value: search[name] ?? '',
    allowDeselect: false,
    data: [
      { value: '', label: t('any') },
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ],
    onChange: (value: string | null) => onChange({ [name]: value ?? '' }),
  })
  const day = (name: FilterName) => ({
    type: 'date',
    value: search[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  })
  return (
    <Fieldset legend={t('filters')} id="library-filters">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
        <MultiSelect
          label={t('status')}
          data={fileStates.map((value) => ({ value, label: status(value) }))}
          {...several('status')}
        />
        <MultiSelect
          label={t('release')}
          data={releaseStatuses.map((value) => ({ value, label: released(value) }))}
          {...several('releaseStatus')}
        />
        <MultiSelect
          label={t('categories')}
          searchable
          data={choicesOf(categories.data)}
          {...several('categoryId')}
        />
        <MultiSelect
          label={t('videotypes')}
          searchable
          data={choicesOf(videotypes.data)}
          {...several('videotypeId')}
        />
        <TagsInput label={t('tags')} {...several('tag')} />
        <Select label={t('errors')} {...yesOrNo('hasErrors', t('withErrors'), t('withoutErrors'))} />
        <Select label={t('encoding')} {...yesOrNo('useEncoding', t('isTranscoded'), t('isAsItIs'))} />
        <Select label={t('processing')} {...yesOrNo('isFinished', t('isOver'), t('isNotOver'))} />
        <Select label={t('renditions')} {...yesOrNo('isEncoded', t('areAllMade'), t('areNotAllMade'))} />
        <TextInput label={t('createdFrom')} {...day('createdFrom')} />
        <TextInput label={t('createdTo')} {...day('createdTo')} />
        <TextInput label={t('updatedFrom')} {...day('updatedFrom')} />
        <TextInput label={t('updatedTo')} {...day('updatedTo')} />
      </SimpleGrid>
      {isFiltered(search) && (
        <Button mt="md" size="xs" variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </Fieldset>
  )
}
