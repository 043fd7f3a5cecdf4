import { Anchor, Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatDuration, formatNumber } from '../ui/format.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { Screen } from '../ui/screen.tsx'
import { SearchField } from '../ui/lists/search-field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { NewPlaylist } from './new-playlist.tsx'

const limit = 50
const orders = { newest: ['created', 'desc'], changed: ['updated', 'desc'], name: ['name', 'asc'] } as const

const isOrder = (text: string | undefined): text is keyof typeof orders =>
  text !== undefined && Object.hasOwn(orders, text)

/** All playlists of the account, which may contain files of several projects. */
export const PlaylistsScreen = () => {
  const t = useTexts('playlists.list')
  const can = useCan()
  const [search, go] = useAddress()
  const projects = useProjectChoices()
  const [isNew, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const columns = useColumns()
  const order = isOrder(search['order']) ? search['order'] : 'newest'
  const [orderBy, sort] = orders[order]
  const query = {
    ...pageQuery(search, limit),
    orderBy,
    sort,
    ...(search['search'] && { search: search['search'] }),
    ...(search['type'] && { type: search['type'] }),
    ...(search['project'] && { projectId: search['project'] }),
  }
  const list = useQuery({
    queryKey: [...queryKeys.playlists, 'list', query],
    queryFn: async ({ signal }) => zoetrope.playlists.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const isFiltered = Boolean(search['search'] || search['type'] || search['project'])
  const create = can('playlists:write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  )
  const table = (rows: readonly Summary[], isLoading: boolean) => (
    <DataTable
      id="playlists"
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ Id }) => Id}
      onOpen={({ Id }) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: Id } })}
      isLoading={isLoading}
    />
  )
  return (
    <Screen title={t('title')} actions={create}>
      <NewPlaylist isOpen={isNew} onClose={close} />
      <FilterRow>
        <SearchField label={t('search')} value={search['search']} onSearch={(text) => go({ search: text })} />
        <FilterSelect
          name="type"
          aria-label={t('type')}
          placeholder={t('type')}
          w={150}
          data={(['manual', 'automatic'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <FilterSelect
          name="project"
          aria-label={t('project')}
          placeholder={t('project')}
          w={190}
          searchable
          data={projects}
        />
        <Select
          aria-label={t('order')}
          w={190}
          allowDeselect={false}
          value={order}
          data={(['newest', 'changed', 'name'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(value) => go({ order: value === 'newest' ? undefined : (value ?? undefined) })}
        />
      </FilterRow>
      <ListResults
        list={list}
        entriesOf={(page) => page.Playlists}
        place={search}
        limit={limit}
        onGo={go}
        skeleton={table([], true)}
        empty={
          isFiltered ? (
            <EmptyState picture="search" title={t('noneFound')} />
          ) : (
            <EmptyState picture="film" title={t('none')} action={create}>
              {t('noneExplained')}
            </EmptyState>
          )
        }
      >
        {(entries) => table(entries, false)}
      </ListResults>
    </Screen>
  )
}

type Summary = Awaited<ReturnType<typeof zoetrope.playlists.list>>['Playlists'][number]

const useColumns = (): readonly TableColumn<Summary>[] => {
  const t = useTexts('playlists.list')
  return [
    {
      key: 'name',
      header: t('name'),
      wraps: true,
      cell: ({ Id, Name }) => (
        <Anchor
          inherit
          renderRoot={(props) => <Link {...props} to="/playlists/$playlistId" params={{ playlistId: Id }} />}
        >
          {Name}
        </Anchor>
      ),
    },
    { key: 'type', header: t('type'), width: 110, hideable: true, cell: ({ Type }) => t(Type) },
    {
      key: 'release',
      header: t('release'),
      width: 160,
      hideable: true,
      cell: ({ ReleaseStatus }) => <ReleaseBadge ReleaseStatus={ReleaseStatus} />,
    },
    {
      key: 'videos',
      header: t('videos'),
      width: 90,
      align: 'end',
      hideable: true,
      cell: ({ ElementCount }) => formatNumber(ElementCount),
    },
    {
      key: 'length',
      header: t('length'),
      width: 100,
      align: 'end',
      hideable: true,
      cell: ({ TotalLength }) => formatDuration(TotalLength),
    },
    {
      key: 'changed',
      header: t('changedAt'),
      width: 150,
      hideable: true,
      cell: ({ LastUpdateAt }) => <RelativeTime instant={LastUpdateAt} />,
    },
    {
      ...{ key: 'acts', header: t('acts'), isHeaderHidden: true, width: 120, align: 'end' },
      cell: (playlist) => <DeleteButton playlist={playlist} />,
    },
  ]
}

const DeleteButton = ({ playlist: { Id, Name, ProjectId } }: { readonly playlist: Summary }) => {
  const t = useTexts('playlists.list')
  const can = useCan(ProjectId ?? undefined)
  const client = useQueryClient()
  const { undoable } = useToasts()
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.playlists })
  const remove = useMutation({
    mutationFn: () => zoetrope.playlists.delete(Id),
    onSuccess: async () => {
      undoable(t('deleted', { name: Name }), async () => {
        await zoetrope.playlists.restore(Id)
        await reload()
      })
      await reload()
    },
  })
  if (!can('playlists:write')) return null
  return (
    <>
      <ProblemAlert error={remove.error} />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        aria-label={t('deleteNamed', { name: Name })}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('delete')}
      </Button>
    </>
  )
}
