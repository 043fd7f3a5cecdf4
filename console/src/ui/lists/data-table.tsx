import './data-table.css'
import { Checkbox, Skeleton, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useMemo, useState, type CSSProperties, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { InTable } from '../relative-time.tsx'
import { watchRowFocus } from '../hooks/row-focus.ts'
import { useStable } from '../hooks/use-stable.ts'
import { ColumnHead, type TableOrder } from './column-head.tsx'
import {
  ColumnsMenu,
  fittingColumns,
  tableRoles,
  useShownColumns,
  widthOf,
  type TableColumn,
  type TableSelection,
} from './table-columns.tsx'
import { TableRow } from './table-row.tsx'

watchRowFocus()

const selectWidth = 40
const menuWidth = 40

/** Columns without a width share the rest, or all columns if each has one. */
const tracksOf = (columns: readonly { readonly width?: number }[]): readonly string[] => {
  const isFree = columns.some(({ width }) => width === undefined)
  return columns.map(({ width }) =>
    width === undefined ? 'minmax(0, 1fr)' : isFree ? `${width}px` : `minmax(${width}px, ${width}fr)`,
  )
}

/**
 * The table of the console. Its head stays in view; short values do not wrap; below 640 px each row is a card.
 * Keyboard: arrows move, Enter opens, x or space selects.
 */
export const DataTable = <Row,>({
  id,
  label,
  columns,
  rows,
  keyOf,
  onOpen,
  selection,
  order,
  onOrder,
  isLoading = false,
  skeletonRows = 8,
  rowHeight,
  rowProps,
  renderMenu,
}: {
  /** Names the stored choice of columns. */
  readonly id: string
  readonly label: string
  /** The first is the title of a card. */
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** A click on a row or Enter. Rows also need a link or button for this. */
  readonly onOpen?: (row: Row) => void
  readonly selection?: TableSelection<Row>
  readonly order?: TableOrder
  readonly onOrder?: (order: TableOrder) => void
  /** Shows placeholders of the same height. */
  readonly isLoading?: boolean
  readonly skeletonRows?: number
  /** If all rows have this height, the browser lays out and paints only those in view. */
  readonly rowHeight?: string
  /** A row renders again when its record changes, or one of `columns`, `rowProps` and `renderMenu`. */
  readonly rowProps?: (row: Row) => Record<string, unknown>
  /** The menu of a row. */
  readonly renderMenu?: (row: Row) => ReactNode
}) => {
  const t = useTexts('ui.dataTable')
  const loading = useTexts('ui.listSkeleton')
  const { ref, width } = useElementSize()
  const { shown: chosen, toggle: toggleShown } = useShownColumns(id, columns)
  const toggleColumn = useStable(toggleShown)
  const [activeKey, setActiveKey] = useState<string | number | null>(null)
  const focus = useStable((row: Row) => setActiveKey(keyOf(row)))
  const toggle = useStable((row: Row, withShift: boolean) => selection?.toggle(row, withShift))
  const open = useStable((row: Row) => onOpen?.(row))
  const isChoosable = columns.some(({ hideable }) => hideable)
  const hasMenu = isChoosable || renderMenu !== undefined
  const chosenCount = selection === undefined ? 0 : rows.filter(selection.has).length
  const ownWidth = (selection === undefined ? 0 : selectWidth) + (hasMenu ? menuWidth : 0)
  const shown = useMemo(
    () => (width === 0 ? chosen : fittingColumns(chosen, width - ownWidth, order?.orderBy)),
    [chosen, width, ownWidth, order?.orderBy],
  )
  const minWidth = widthOf(shown) + ownWidth
  const tracks = [
    ...(selection === undefined ? [] : [`${selectWidth}px`]),
    ...tracksOf(shown),
    ...(hasMenu ? [`${menuWidth}px`] : []),
  ]
  const isWide = width > 0 && minWidth > width
  const hasFocus = rows.some((row) => keyOf(row) === activeKey)
  const cellCount = shown.length + (hasMenu ? 1 : 0)
  const skeleton = (place: number): ReactNode => (
    <tr {...tableRoles.row} key={place} aria-hidden>
      {selection !== undefined && <td {...tableRoles.cell} />}
      {Array.from({ length: cellCount }, (_, cell) => (
        <td {...tableRoles.cell} key={cell}>
          <Skeleton
            height={14}
            width={cell === 0 ? '60%' : '70%'}
            radius="sm"
            className="data-table-skeleton"
          />
        </td>
      ))}
    </tr>
  )
  return (
    <InTable value>
      <div
        className="data-table"
        data-wide={isWide}
        ref={ref}
        {...(isWide && { tabIndex: 0, role: 'group', 'aria-label': label })}
      >
        {isLoading && <VisuallyHidden role="status">{loading('loading')}</VisuallyHidden>}
        <table
          {...tableRoles.table}
          aria-label={label}
          aria-busy={isLoading}
          data-even={rowHeight !== undefined}
          style={
            {
              '--table-min-width': `${minWidth}px`,
              '--table-columns': tracks.join(' '),
              ...(rowHeight !== undefined && { '--table-row-height': rowHeight }),
            } as CSSProperties
          }
        >
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              {selection !== undefined && (
                <th {...tableRoles.head}>
                  <Checkbox
                    size="xs"
                    aria-label={t('selectPage')}
                    checked={rows.length > 0 && chosenCount === rows.length}
                    indeterminate={chosenCount > 0 && chosenCount < rows.length}
                    onChange={(event) => selection.setPage(event.currentTarget.checked)}
                  />
                </th>
              )}
              {shown.map((column) => (
                <ColumnHead key={column.key} column={column} order={order} onOrder={onOrder} />
              ))}
              {hasMenu && (
                <th {...tableRoles.head} className="data-table-menu">
                  {isChoosable && <ColumnsMenu columns={columns} shown={chosen} onToggle={toggleColumn} />}
                </th>
              )}
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {isLoading
              ? Array.from({ length: skeletonRows }, (_, place) => skeleton(place))
              : rows.map((row, place) => (
                  <TableRow
                    key={keyOf(row)}
                    row={row}
                    columns={shown}
                    hasMenu={hasMenu}
                    renderMenu={renderMenu}
                    isReachable={hasFocus ? keyOf(row) === activeKey : place === 0}
                    onFocus={focus}
                    isSelected={selection?.has(row)}
                    name={selection?.nameOf(row) ?? ''}
                    onToggle={toggle}
                    onOpen={onOpen && open}
                    rowProps={rowProps}
                  />
                ))}
          </tbody>
        </table>
      </div>
    </InTable>
  )
}
