import { Badge, Group } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { useMemo } from 'react'
import { useTexts, type Translate } from '../shell/texts.ts'
import { formatBytes, formatDuration } from '../ui/format.ts'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { formatFigure, useFigures, type Figures } from './file-figures.ts'
import { FileStatus } from './file-status.tsx'
import { FileTitle, titleOf } from './file-title.tsx'
import { Thumb } from './thumb.tsx'

const none = '–'

const Labels = ({ labels }: { readonly labels: readonly string[] }) => (
  <Group gap={4} wrap="nowrap" title={labels.join(', ')}>
    {labels.map((label) => (
      <Badge key={label} variant="default" size="sm">
        {label}
      </Badge>
    ))}
  </Group>
)

type Column = TableColumn<MediaFile>

/** The columns of the library. Users hide those that they do not need. */
export const useFileColumns = (files: readonly MediaFile[], isDraggable: boolean): readonly Column[] => {
  const t = useTexts('library.screen')
  const views = useFigures('views', files)
  const watchTime = useFigures('watchtime', files)
  const isTrash = files.some(({ DeletedAt }) => DeletedAt !== null)
  return useMemo(
    () => columnsIn(t, isDraggable, isTrash, { views, watchTime }),
    [t, isDraggable, isTrash, views, watchTime],
  )
}

const stateColumns = (t: Translate<'library.screen'>): readonly Column[] => [
  {
    ...{ key: 'status', header: t('status'), width: 168, wraps: true, hideable: true },
    cell: (file) => <FileStatus file={file} name={titleOf(file)} />,
  },
  {
    ...{ key: 'release', header: t('release'), width: 124, wraps: true, hideable: true },
    cell: ({ Metadata }) => <ReleaseBadge {...Metadata} />,
  },
]

/** Files in the trash have one state and no release, so these columns take the place of those. */
const trashColumns = (t: Translate<'library.screen'>): readonly Column[] => [
  {
    ...{ key: 'deleted', header: t('deleted'), width: 136 },
    cell: ({ DeletedAt }) => <RelativeTime instant={DeletedAt} />,
  },
  {
    ...{ key: 'purge', header: t('purge'), width: 150 },
    cell: ({ PurgeAt }) => <RelativeTime instant={PurgeAt} />,
  },
]

const columnsIn = (
  t: Translate<'library.screen'>,
  isDraggable: boolean,
  isTrash: boolean,
  { views, watchTime }: { readonly views: Figures; readonly watchTime: Figures },
): readonly Column[] => {
  const narrow = { hideable: true, yields: true } as const
  const rare = { hideable: true, isHiddenAtFirst: true } as const
  return [
    {
      key: 'file',
      header: t('file'),
      orderBy: 'title',
      firstSort: 'asc',
      minWidth: 210,
      cell: (file) => (
        <div className="file-cell">
          <Thumb file={file} isDraggable={isDraggable} />
          <FileTitle file={file} />
        </div>
      ),
    },
    ...(isTrash ? trashColumns(t) : stateColumns(t)),
    {
      ...{ key: 'length', header: t('length'), width: 84, align: 'end', orderBy: 'length', ...narrow },
      cell: ({ Properties }) => (Properties?.Length == null ? none : formatDuration(Properties.Length)),
    },
    {
      ...{ key: 'size', header: t('size'), width: 88, align: 'end', orderBy: 'size', ...narrow },
      cell: ({ Properties }) => (Properties === null ? none : formatBytes(Properties.Size)),
    },
    {
      ...{ key: 'created', header: t('created'), width: 124, orderBy: 'created', hideable: true },
      cell: ({ CreatedAt }) => <RelativeTime instant={CreatedAt} />,
    },
    {
      ...{ key: 'updated', header: t('updated'), width: 132, orderBy: 'updated', ...rare },
      cell: ({ LastUpdateAt }) => <RelativeTime instant={LastUpdateAt} />,
    },
    {
      ...{ key: 'views', header: t('views'), width: 110, align: 'end', ...rare },
      cell: ({ Id }) => formatFigure('views', views, Id),
    },
    {
      ...{ key: 'watchtime', header: t('watchTime'), width: 120, align: 'end', ...rare },
      cell: ({ Id }) => formatFigure('watchtime', watchTime, Id),
    },
    {
      ...{ key: 'categories', header: t('categories'), width: 170, ...rare },
      cell: ({ Metadata }) => <Labels labels={Metadata.Category.map(({ Label }) => Label)} />,
    },
    {
      ...{ key: 'tags', header: t('tags'), width: 170, ...rare },
      cell: ({ Metadata }) => <Labels labels={Metadata.Tags} />,
    },
    {
      ...{ key: 'resolution', header: t('resolution'), width: 116, ...rare },
      cell: ({ Properties }) =>
        Properties?.VideoWidth == null ? none : `${Properties.VideoWidth} × ${Properties.VideoHeight}`,
    },
    { ...{ key: 'id', header: t('id'), width: 84, align: 'end', ...rare }, cell: ({ Id }) => Id },
  ]
}
