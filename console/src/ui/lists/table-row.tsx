import { memo, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { SelectBox } from './select-box.tsx'
import { tableRoles, type TableColumn } from './table-columns.tsx'

const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const

/** Texts that say that there is no value. */
const emptyTexts: ReadonlySet<unknown> = new Set([null, '', '–'])

const isOwnClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, label, select, textarea, [role="menu"]') === null &&
  getSelection()?.type !== 'Range'

/** Renders again when the record or the columns change: a selection does not render the values again. */
const Cells = memo(<R,>({ row, columns }: { readonly row: R; readonly columns: readonly TableColumn<R>[] }) =>
  columns.map((column, place) => {
    const content = column.cell(row)
    const isText = typeof content === 'string' || typeof content === 'number'
    return (
      <td
        {...tableRoles.cell}
        key={column.key}
        {...(column.align === 'end' && { 'data-align': 'end' })}
        {...(column.wraps === true && { 'data-wraps': true })}
        {...(place > 0 && { 'data-label': column.isHeaderHidden === true ? '' : column.header })}
        {...((emptyTexts.has(content) || column.isEmpty?.(row) === true) && { 'data-empty': true })}
        {...(isText && { title: String(content) })}
      >
        {content}
      </td>
    )
  }),
) as <R>(props: { readonly row: R; readonly columns: readonly TableColumn<R>[] }) => ReactNode

const Row = <R,>({
  row,
  columns,
  hasMenu,
  renderMenu,
  isReachable,
  onFocus,
  isSelected,
  name,
  onToggle,
  onOpen,
  rowProps,
}: {
  readonly row: R
  readonly columns: readonly TableColumn<R>[]
  readonly hasMenu: boolean
  readonly renderMenu: ((row: R) => ReactNode) | undefined
  /** One row of the table is a tab stop. */
  readonly isReachable: boolean
  readonly onFocus: (row: R) => void
  /** Undefined in a table without a selection. */
  readonly isSelected: boolean | undefined
  readonly name: string
  readonly onToggle: (row: R, withShift: boolean) => void
  readonly onOpen: ((row: R) => void) | undefined
  readonly rowProps: ((row: R) => Record<string, unknown>) | undefined
}) => {
  const t = useTexts('ui.dataTable')
  const isActive = isSelected !== undefined || onOpen !== undefined
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    const { key, target, currentTarget, shiftKey, ctrlKey, metaKey, altKey } = event
    // Controls inside of the row have their own keys.
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = currentTarget[step[key]]
      if (next instanceof HTMLElement) next.focus()
    } else if (isSelected !== undefined && (key.toLowerCase() === 'x' || key === ' ')) onToggle(row, shiftKey)
    else if (onOpen !== undefined && key === 'Enter') onOpen(row)
    else return
    event.preventDefault()
  }
  return (
    <tr
      {...tableRoles.row}
      {...rowProps?.(row)}
      {...(isActive && { tabIndex: isReachable ? 0 : -1, onKeyDown, onFocus: () => onFocus(row) })}
      {...(isSelected !== undefined && { 'aria-selected': isSelected })}
      {...(onOpen !== undefined && {
        'data-opens': true,
        onClick: (event: MouseEvent<HTMLElement>) => isOwnClick(event) && onOpen(row),
      })}
    >
      {isSelected !== undefined && (
        <td {...tableRoles.cell} className="data-table-select">
          <SelectBox
            size="xs"
            label={t('select', { name })}
            isSelected={isSelected}
            onToggle={(withShift) => onToggle(row, withShift)}
          />
        </td>
      )}
      <Cells row={row} columns={columns} />
      {hasMenu && (
        <td {...tableRoles.cell} className="data-table-menu">
          {renderMenu?.(row)}
        </td>
      )}
    </tr>
  )
}

/** Renders again when its own properties change: a click on one row does not render the others. */
export const TableRow = memo(Row) as typeof Row
