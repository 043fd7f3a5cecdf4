import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { SelectBox } from './select-box.tsx'
import { tableRoles, type TableColumn, type TableSelection } from './table-columns.tsx'

const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const

const isOwnClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, label, select, textarea, [role="menu"]') === null &&
  getSelection()?.type !== 'Range'

export const TableRow = <Row,>({
  row,
  columns,
  hasMenu,
  menu,
  isReachable,
  onFocus,
  selection,
  onOpen,
  ...rest
}: {
  readonly row: Row
  readonly columns: readonly TableColumn<Row>[]
  readonly hasMenu: boolean
  readonly menu?: ReactNode
  /** One row of the table is a tab stop. */
  readonly isReachable: boolean
  readonly onFocus: () => void
  readonly selection: TableSelection<Row> | undefined
  readonly onOpen: ((row: Row) => void) | undefined
}) => {
  const t = useTexts('ui.dataTable')
  const isActive = selection !== undefined || onOpen !== undefined
  const isSelected = selection?.has(row) === true
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    const { key, target, currentTarget, shiftKey, ctrlKey, metaKey, altKey } = event
    // Controls inside of the row have their own keys.
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = currentTarget[step[key]]
      if (next instanceof HTMLElement) next.focus()
    } else if (selection !== undefined && (key === 'x' || key === ' ')) selection.toggle(row, shiftKey)
    else if (onOpen !== undefined && key === 'Enter') onOpen(row)
    else return
    event.preventDefault()
  }
  return (
    <tr
      {...tableRoles.row}
      {...rest}
      {...(isActive && { tabIndex: isReachable ? 0 : -1, onKeyDown, onFocus })}
      {...(selection !== undefined && { 'aria-selected': isSelected })}
      {...(onOpen !== undefined && {
        'data-opens': true,
        onClick: (event: MouseEvent<HTMLElement>) => isOwnClick(event) && onOpen(row),
      })}
    >
      {selection !== undefined && (
        <td {...tableRoles.cell} className="data-table-select">
          <SelectBox
            size="xs"
            label={t('select', { name: selection.nameOf(row) })}
            isSelected={isSelected}
            onToggle={(withShift) => selection.toggle(row, withShift)}
          />
        </td>
      )}
      {columns.map((column, place) => {
        const content = column.cell(row)
        const isText = typeof content === 'string' || typeof content === 'number'
        return (
          <td
            {...tableRoles.cell}
            key={column.key}
            data-align={column.align ?? 'start'}
            data-wraps={column.wraps === true}
            {...(place > 0 && { 'data-label': column.isHeaderHidden === true ? '' : column.header })}
            {...(isText && { title: String(content) })}
          >
            {content}
          </td>
        )
      })}
      {hasMenu && (
        <td {...tableRoles.cell} className="data-table-menu">
          {menu}
        </td>
      )}
    </tr>
  )
}
