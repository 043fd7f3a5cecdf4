import { Anchor, Switch } from '@mantine/core'
import { useState } from 'react'
import type { TableOrder } from '../ui/lists/column-head.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { StatusBadge, type Tone } from '../ui/status-badge.tsx'

interface Entry {
  readonly id: number
  readonly name: string
  readonly tone: Tone
  readonly size: string
  readonly at: string
}

const entries: readonly Entry[] = [
  { id: 1, name: 'Opening night', tone: 'ok', size: '1.2 GB', at: '2024-05-17T09:30:00.000Z' },
  {
    id: 2,
    name: 'A title that is much longer than the column in which it is shown',
    tone: 'busy',
    size: '480 MB',
    at: '2024-05-16T09:30:00.000Z',
  },
  { id: 3, name: 'Rehearsal', tone: 'danger', size: '96 MB', at: '2024-05-15T09:30:00.000Z' },
]

const columns: readonly TableColumn<Entry>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => <Anchor href="#table">{name}</Anchor>,
    orderBy: 'name',
    firstSort: 'asc',
  },
  {
    key: 'state',
    header: 'Status',
    cell: ({ tone }) => <StatusBadge tone={tone}>{tone}</StatusBadge>,
    width: 130,
    hideable: true,
  },
  { key: 'size', header: 'Size', cell: ({ size }) => size, width: 100, align: 'end', hideable: true },
  {
    key: 'at',
    header: 'Created',
    cell: ({ at }) => <RelativeTime instant={at} />,
    width: 130,
    hideable: true,
  },
]

export const TablePart = () => {
  const [chosen, setChosen] = useState<readonly number[]>([2])
  const [order, setOrder] = useState<TableOrder>({ orderBy: 'name', sort: 'asc' })
  const [isLoading, setIsLoading] = useState(false)
  return (
    <>
      <Switch
        label="Loading"
        checked={isLoading}
        onChange={(event) => setIsLoading(event.currentTarget.checked)}
      />
      <DataTable
        id="design"
        label="Example"
        columns={columns}
        rows={entries}
        keyOf={({ id }) => id}
        onOpen={() => {}}
        isLoading={isLoading}
        skeletonRows={entries.length}
        order={order}
        onOrder={setOrder}
        selection={{
          has: ({ id }) => chosen.includes(id),
          toggle: ({ id }) =>
            setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]),
          setPage: (isChosen) => setChosen(isChosen ? entries.map(({ id }) => id) : []),
          nameOf: ({ name }) => name,
        }}
      />
    </>
  )
}
