import { CloseButton, Popover, UnstyledButton } from '@mantine/core'
import { currentLanguage, useTexts } from '../../shell/texts.ts'
import type { LibrarySearch } from '../library-query.ts'
import type { FilterField } from './filter-choices.ts'
import { FilterEditor, type FilterChanges } from './filter-editor.tsx'

const maxNamed = 2

const dayText = (day: string | undefined): string => {
  const date = new Date(`${day}T00:00`)
  return day === undefined || Number.isNaN(date.getTime())
    ? (day ?? '…')
    : new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(date)
}

const valueText = ({ kind, names, choices }: FilterField, search: LibrarySearch): string => {
  const values = names.map((name) => search[name])
  if (values.every((value) => value === undefined)) return ''
  if (kind === 'days') return values.map(dayText).join(' – ')
  const labels = (values[0] ?? '')
    .split(',')
    .map((value) => choices.find((choice) => choice.value === value)?.label ?? value)
  return labels.length > maxNamed
    ? `${labels.slice(0, maxNamed).join(', ')} +${labels.length - maxNamed}`
    : labels.join(', ')
}

/** One filter: its value, a popover to change it, and a button to remove it. */
export const FilterChip = ({
  field,
  search,
  isOpen,
  onOpen,
  onChange,
  onRemove,
}: {
  readonly field: FilterField
  readonly search: LibrarySearch
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onChange: (changes: FilterChanges) => void
  readonly onRemove: () => void
}) => {
  const t = useTexts('library.screen')
  const { label } = field
  const value = valueText(field, search)
  return (
    <span className="filter-chip">
      <Popover opened={isOpen} onChange={onOpen} position="bottom-start" width={280} trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className="filter-chip-value" onClick={() => onOpen(!isOpen)}>
            <span className="filter-chip-label">{label}</span> {value}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <FilterEditor field={field} search={search} onChange={onChange} />
        </Popover.Dropdown>
      </Popover>
      <CloseButton size={24} aria-label={t('removeFilter', { name: label })} onClick={onRemove} />
    </span>
  )
}
