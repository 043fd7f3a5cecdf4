import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo } from 'react'
import { tableRoles, type TableColumn } from './table-columns.tsx'

export interface TableOrder {
  readonly orderBy: string
  readonly sort: 'asc' | 'desc'
}

const Head = <Row,>({
  column: { header, isHeaderHidden = false, align = 'start', orderBy, firstSort = 'desc' },
  order,
  onOrder,
}: {
  readonly column: TableColumn<Row>
  readonly order: TableOrder | undefined
  readonly onOrder: ((order: TableOrder) => void) | undefined
}) => {
  const props = { ...tableRoles.head, scope: 'col', 'data-align': align } as const
  if (orderBy === undefined || onOrder === undefined)
    return <th {...props}>{isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}</th>
  const isOrder = order?.orderBy === orderBy
  const isUp = order?.sort === 'asc'
  const next = isOrder ? (isUp ? 'desc' : 'asc') : firstSort
  const Arrow = isUp ? IconArrowUp : IconArrowDown
  return (
    <th {...props} aria-sort={isOrder ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton className="data-table-sort" onClick={() => onOrder({ orderBy, sort: next })}>
        {header}
        {isOrder && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  )
}

export const ColumnHead = memo(Head) as typeof Head
