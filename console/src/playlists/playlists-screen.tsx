import { Anchor, Badge, Button, Group, Select, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { formatAgo, formatDuration, formatNumber } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { Screen } from '../ui/screen.tsx'
import { SearchField } from '../ui/lists/search-field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { WideTable } from '../ui/lists/wide-table.tsx'
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
  return (
    <Screen
      title={t('title')}
      actions={
        can('playlists:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('create')}
          </Button>
        )
      }
    >
      <NewPlaylist isOpen={isNew} onClose={close} />
      <Group align="end">
        <SearchField label={t('search')} value={search['search']} onSearch={(text) => go({ search: text })} />
        <FilterSelect
          name="type"
          label={t('type')}
          data={(['manual', 'automatic'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <FilterSelect name="project" label={t('project')} searchable data={projects} />
        <Select
          label={t('order')}
          allowDeselect={false}
          value={order}
          data={(['newest', 'changed', 'name'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(value) => go({ order: value === 'newest' ? undefined : (value ?? undefined) })}
        />
      </Group>
      <ListResults
        list={list}
        entriesOf={(page) => page.Playlists}
        place={search}
        limit={limit}
        onGo={go}
        empty={
          <Text>{search['search'] || search['type'] || search['project'] ? t('noneFound') : t('none')}</Text>
        }
      >
        {(entries) => (
          <WideTable
            label={t('title')}
            heads={[t('name'), t('type'), t('release'), t('videos'), t('length'), t('changedAt'), t('acts')]}
          >
            {entries.map((playlist) => (
              <PlaylistRow key={playlist.Id} playlist={playlist} />
            ))}
          </WideTable>
        )}
      </ListResults>
    </Screen>
  )
}

type Summary = Awaited<ReturnType<typeof zoetrope.playlists.list>>['Playlists'][number]

const PlaylistRow = ({ playlist }: { readonly playlist: Summary }) => {
  const t = useTexts('playlists.list')
  const can = useCan(playlist.ProjectId ?? undefined)
  const client = useQueryClient()
  const { undoable } = useToasts()
  const { Id, Name } = playlist
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
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          inherit
          renderRoot={(props) => <Link {...props} to="/playlists/$playlistId" params={{ playlistId: Id }} />}
        >
          {Name}
        </Anchor>
        <ProblemAlert error={remove.error} />
      </Table.Td>
      <Table.Td>
        <Badge variant="outline" color="gray" tt="none">
          {t(playlist.Type)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <ReleaseBadge status={playlist.ReleaseStatus} />
      </Table.Td>
      <Table.Td>{formatNumber(playlist.ElementCount)}</Table.Td>
      <Table.Td>{formatDuration(playlist.TotalLength)}</Table.Td>
      <Table.Td>{formatAgo(playlist.LastUpdateAt)}</Table.Td>
      <Table.Td>
        {can('playlists:write') && (
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
        )}
      </Table.Td>
    </Table.Tr>
  )
}
