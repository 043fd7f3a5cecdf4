import { Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import { afterPaint } from '../ui/hooks/after-paint.ts'
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

const views = [
  { value: 'list', label: 'asList', Picture: IconList },
  { value: 'grid', label: 'asGrid', Picture: IconLayoutGrid },
] as const

/**
 * Shows the choice at once, and the files after it. Not a `SegmentedControl` of Mantine, which measures the page to
 * place its mark.
 */
const ViewSwitch = ({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) => {
  const t = useTexts('library.screen')
  const [chosen, setChosen] = useState<View | null>(null)
  const choose = (next: View): void => {
    setChosen(next)
    afterPaint(() => {
      onView(next)
      setChosen(null)
    })
  }
  return (
    <div role="radiogroup" aria-label={t('view')} className="view-switch">
      {views.map(({ value, label, Picture }) => (
        <label key={value}>
          <input
            type="radio"
            name="library-view"
            checked={(chosen ?? view) === value}
            onChange={() => choose(value)}
          />
          <Picture size={16} role="img" aria-label={t(label)} />
        </label>
      ))}
    </div>
  )
}

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
  // Heads of columns sort the list, where there are any.
  const hasHeads = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  return (
    <div className="library-toolbar">
      <SearchField
        label={t('search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
      />
      {children}
      <div className="library-toolbar-end">
        {!(view === 'list' && hasHeads) && (
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
        )}
        <ViewSwitch view={view} onView={onView} />
      </div>
    </div>
  )
}
