import { ActionIcon, Button, Group, Menu, SegmentedControl, Select, Tooltip } from '@mantine/core'
import { IconColumns3, IconFilter, IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useTexts } from '../shell/texts.ts'
import { SearchField } from '../ui/lists/search-field.tsx'
import { columns, type Column, type View } from './columns.ts'
import { filterCount, limitOf, pageSizes, type LibrarySearch } from './library-query.ts'

const orders = [
  ['newest', 'created', 'desc'],
  ['oldest', 'created', 'asc'],
  ['lastChanged', 'updated', 'desc'],
  ['firstChanged', 'updated', 'asc'],
  ['titleUp', 'title', 'asc'],
  ['titleDown', 'title', 'desc'],
  ['longest', 'length', 'desc'],
  ['shortest', 'length', 'asc'],
  ['largest', 'size', 'desc'],
  ['smallest', 'size', 'asc'],
] as const

export const LibraryToolbar = ({
  search,
  onChange,
  view,
  onView,
  shownColumns,
  onColumns,
  areFiltersOpen,
  onToggleFilters,
}: {
  readonly search: LibrarySearch
  readonly onChange: (changes: LibrarySearch) => void
  readonly view: View
  readonly onView: (view: View) => void
  readonly shownColumns: readonly Column[]
  readonly onColumns: (shown: readonly string[]) => void
  readonly areFiltersOpen: boolean
  readonly onToggleFilters: () => void
}) => {
  const t = useTexts('library.screen')
  const count = filterCount(search)
  const { orderBy = 'created', sort = 'desc' } = search
  const views = [
    { value: 'list' as const, label: t('asList'), Picture: IconList },
    { value: 'grid' as const, label: t('asGrid'), Picture: IconLayoutGrid },
  ]
  return (
    <Group gap="xs">
      <SearchField
        label={t('search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
      />
      <Button
        variant={count > 0 ? 'filled' : 'default'}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={areFiltersOpen}
        onClick={onToggleFilters}
      >
        {count > 0 ? t('filtersSet', { count }) : t('filters')}
      </Button>
      <Select
        aria-label={t('sortBy')}
        w={190}
        allowDeselect={false}
        value={`${orderBy}-${sort}`}
        data={orders.map(([label, by, how]) => ({ value: `${by}-${how}`, label: t(label) }))}
        onChange={(chosen) => {
          const [by = '', how = ''] = (chosen ?? '').split('-')
          onChange({ orderBy: by, sort: how })
        }}
      />
      <SegmentedControl
        aria-label={t('view')}
        value={view}
        onChange={(chosen) => onView(chosen === 'grid' ? 'grid' : 'list')}
        data={views.map(({ value, label, Picture }) => ({
          value,
          label: <Picture size={18} role="img" aria-label={label} />,
        }))}
      />
      <Menu closeOnItemClick={false} position="bottom-end" keepMounted={false}>
        <Menu.Target>
          <Tooltip label={t('display')}>
            <ActionIcon variant="default" size={36} aria-label={t('display')}>
              <IconColumns3 size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('pageSize')}</Menu.Label>
          <Menu.RadioGroup
            value={String(limitOf(search))}
            onChange={(limit) => onChange({ limit: limit === String(pageSizes[0]) ? '' : limit })}
          >
            {pageSizes.map((size) => (
              <Menu.RadioItem key={size} value={String(size)}>
                {size}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {view === 'list' && (
            <>
              <Menu.Divider />
              <Menu.Label>{t('columns')}</Menu.Label>
              {columns.map((column) => (
                <Menu.CheckboxItem
                  key={column}
                  checked={shownColumns.includes(column)}
                  onChange={(isShown) =>
                    onColumns(
                      isShown ? [...shownColumns, column] : shownColumns.filter((one) => one !== column),
                    )
                  }
                >
                  {t(column)}
                </Menu.CheckboxItem>
              ))}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
