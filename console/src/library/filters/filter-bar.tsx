import './filters.css'
import { Button, Menu } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { isFiltered, type LibrarySearch } from '../library-query.ts'
import { FilterChip } from './filter-chip.tsx'
import { useFilterFields } from './filter-choices.ts'
import type { FilterChanges } from './filter-editor.tsx'
import { SavedFilters } from './saved-filters.tsx'

/** The active filters as chips, and a menu of the others. */
export const FilterBar = ({
  search,
  onChange,
  onClear,
  onApply,
}: {
  readonly search: LibrarySearch
  readonly onChange: (changes: FilterChanges) => void
  readonly onClear: () => void
  /** Replaces all filters. */
  readonly onApply: (filters: FilterChanges) => void
}) => {
  const t = useTexts('library.screen')
  const fields = useFilterFields()
  const [openId, setOpenId] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isSet = (names: readonly (keyof LibrarySearch)[]): boolean =>
    names.some((name) => search[name] !== undefined)
  const ids = { id: 'ids', kind: 'tags', names: ['ids'], label: t('id'), choices: [] } as const
  const shown = [...fields, ids].filter(({ id, names }) => id === openId || isSet(names))
  return (
    <div className="filter-bar">
      <Menu position="bottom-start" width={220} keepMounted={false}>
        <Menu.Target>
          <Button ref={button} variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
            {t('filter')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {fields.map(({ id, label }) => (
            <Menu.Item key={id} onClick={() => setOpenId(id)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {shown.map((field) => (
        <FilterChip
          key={field.id}
          field={field}
          search={search}
          isOpen={field.id === openId}
          onOpen={(isOpen) => {
            setOpenId(isOpen ? field.id : null)
            // A chip without a value disappears with the focus.
            if (!isOpen && !isSet(field.names)) button.current?.focus()
          }}
          onChange={onChange}
          onRemove={() => {
            setOpenId(null)
            onChange(Object.fromEntries(field.names.map((name) => [name, ''])))
            button.current?.focus()
          }}
        />
      ))}
      {isFiltered(search) && (
        <Button variant="subtle" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
      <SavedFilters search={search} onApply={onApply} />
    </div>
  )
}
