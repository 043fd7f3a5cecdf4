import { SegmentedControl, Select } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import { SearchField } from '../ui/lists/search-field.tsx'
import type { LibrarySearch } from './library-query.ts'
import type { View } from './view.ts'

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
  children,
}: {
  readonly search: LibrarySearch
  readonly onChange: (changes: LibrarySearch) => void
  readonly view: View
  readonly onView: (view: View) => void
  /** The filters, after the search field. */
  readonly children: ReactNode
}) => {
  const t = useTexts('library.screen')
  const { orderBy = 'created', sort = 'desc' } = search
  const views = [
    { value: 'list' as const, label: t('asList'), Picture: IconList },
    { value: 'grid' as const, label: t('asGrid'), Picture: IconLayoutGrid },
  ]
  return (
    <div className="library-toolbar" data-view={view}>
      <SearchField
        label={t('search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
      />
      {children}
      <div className="library-toolbar-end">
        <Select
          className="library-sort"
          aria-label={t('sortBy')}
          w={180}
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
            label: <Picture size={16} role="img" aria-label={label} />,
          }))}
        />
      </div>
    </div>
  )
}
