import { Badge, Box, Checkbox, Group, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { MediaFile } from '@zoetrope/sdk'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatDuration, formatTime } from '../ui/format.ts'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { columnOrders, type Column } from './columns.ts'
import { FileStatus } from './file-status.tsx'
import { FileTitle, Thumb, titleOf } from './file-title.tsx'
import type { Selection } from './use-selection.ts'

const none = '–'

const Labels = ({ labels }: { readonly labels: readonly string[] }) => (
  <Group gap={4}>
    {labels.map((label) => (
      <Badge key={label} variant="outline" color="gray" tt="none">
        {label}
      </Badge>
    ))}
  </Group>
)

const cells: Readonly<Record<Column, (file: MediaFile) => ReactNode>> = {
  status: (file) => <FileStatus file={file} name={titleOf(file)} />,
  release: (file) => <ReleaseBadge status={file.Metadata.ReleaseStatus} />,
  length: ({ Properties }) => (Properties?.Length == null ? none : formatDuration(Properties.Length)),
  size: ({ Properties }) => (Properties === null ? none : formatBytes(Properties.Size)),
  created: ({ CreatedAt }) => formatTime(CreatedAt),
  updated: ({ LastUpdateAt }) => formatTime(LastUpdateAt),
  categories: ({ Metadata }) => <Labels labels={Metadata.Category.map(({ Label }) => Label)} />,
  tags: ({ Metadata }) => <Labels labels={Metadata.Tags} />,
  resolution: ({ Properties }) =>
    Properties?.VideoWidth == null ? none : `${Properties.VideoWidth} × ${Properties.VideoHeight}`,
  id: ({ Id }) => Id,
}

/** These values neither wrap nor get truncated: a number without its unit is meaningless. */
const shortValues: ReadonlySet<Column> = new Set([
  'release',
  'length',
  'size',
  'created',
  'updated',
  'resolution',
  'id',
])

interface Order {
  readonly orderBy: string
  readonly sort: 'asc' | 'desc'
}

const Heading = ({
  column,
  order,
  onOrder,
}: {
  readonly column: Column | 'file'
  readonly order: Order
  readonly onOrder: (order: Order) => void
}) => {
  const t = useTexts('library.screen')
  const by = columnOrders[column]
  if (by === undefined) return <Table.Th>{t(column)}</Table.Th>
  const isOrder = order.orderBy === by
  const Arrow = order.sort === 'asc' ? IconArrowUp : IconArrowDown
  // Titles sort from A first, other columns from the newest or largest.
  const first = by === 'title' ? 'asc' : 'desc'
  const next = isOrder ? (order.sort === 'asc' ? 'desc' : 'asc') : first
  return (
    <Table.Th aria-sort={isOrder ? (order.sort === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton fz="sm" fw={700} onClick={() => onOrder({ orderBy: by, sort: next })}>
        <Group gap={4} wrap="nowrap">
          {t(column)}
          {isOrder && <Arrow size={14} aria-hidden />}
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

export const FileTable = ({
  files,
  columns,
  selection,
  label,
  order,
  onOrder,
}: {
  readonly files: readonly MediaFile[]
  readonly columns: readonly Column[]
  readonly selection: Selection
  readonly label: string
  readonly order: Order
  readonly onOrder: (order: Order) => void
}) => {
  const t = useTexts('library.screen')
  const chosenCount = files.filter(selection.has).length
  return (
    <Table.ScrollContainer minWidth={340 + 120 * columns.length} scrollAreaProps={{ type: 'auto' }}>
      <Table aria-label={label} highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                aria-label={t('selectPage')}
                checked={files.length > 0 && chosenCount === files.length}
                indeterminate={chosenCount > 0 && chosenCount < files.length}
                onChange={(event) => selection.setPage(event.currentTarget.checked)}
              />
            </Table.Th>
            <Heading column="file" order={order} onOrder={onOrder} />
            {columns.map((column) => (
              <Heading key={column} column={column} order={order} onOrder={onOrder} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {files.map((file) => (
            <Table.Tr key={file.Id} className={selection.has(file) ? 'library-row-selected' : ''}>
              <Table.Td>
                <Checkbox
                  aria-label={t('select', { name: titleOf(file) })}
                  checked={selection.has(file)}
                  onChange={() => {}}
                  onClick={(event) => selection.toggle(file, event.shiftKey)}
                />
              </Table.Td>
              <Table.Td>
                <Group wrap="nowrap" gap="sm">
                  <Box w={96} style={{ flexShrink: 0 }}>
                    <Thumb file={file} />
                  </Box>
                  <FileTitle file={file} />
                </Group>
              </Table.Td>
              {columns.map((column) => (
                <Table.Td key={column} className={shortValues.has(column) ? 'library-short' : ''}>
                  {cells[column](file)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
