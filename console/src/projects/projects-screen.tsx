import { Button, Group, Select, Switch } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Project } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { firstPage, pageQuery } from '../ui/lists/pager.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { SearchField } from '../ui/lists/search-field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { CreateProjectButton } from './create-project-button.tsx'
import { useProjectColumns } from './project-columns.tsx'

const route = getRouteApi('/inside/projects')
const limit = 50

type ProjectsName = 'search' | 'orderBy' | 'sort' | 'deleted' | 'page' | 'cursor'
type ProjectsSearch = Readonly<Partial<Record<ProjectsName, string>>>
type Query = NonNullable<Parameters<typeof zoetrope.projects.list>[0]>

const orders = [
  ['newest', 'created', 'desc'],
  ['oldest', 'created', 'asc'],
  ['lastChanged', 'updated', 'desc'],
  ['nameUp', 'name', 'asc'],
  ['nameDown', 'name', 'desc'],
] as const

const queryOf = ({ search, orderBy, sort, deleted, page, cursor }: ProjectsSearch): Query =>
  ({
    ...(search !== undefined && { search }),
    ...(orderBy !== undefined && { orderBy }),
    ...(sort !== undefined && { sort }),
    ...(deleted !== undefined && { includeDeleted: true }),
    ...pageQuery({ page, cursor }, limit),
  }) as Query

export const ProjectsScreen = () => {
  const t = useTexts('projects.list')
  const search: ProjectsSearch = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const can = useCan()
  const { done } = useToasts()
  const query = queryOf(search)
  const list = useQuery({
    queryKey: [...queryKeys.projects, 'list', query],
    queryFn: async ({ signal }) => await zoetrope.projects.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const restore = useMutation({
    mutationFn: (projectId: number) => zoetrope.projects.restore(projectId),
    onSuccess: async ({ Name }) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects })
      done(t('restored', { name: Name }))
    },
  })
  const change = (changes: Readonly<Partial<Record<ProjectsName, string | undefined>>>): void => {
    const changed = { ...search, ...firstPage, ...changes }
    const kept = Object.entries(changed).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: '.', search: Object.fromEntries(kept) as Record<string, string> })
  }
  const { orderBy = 'created', sort = 'desc' } = search
  const isSearch = search.search !== undefined
  const columns = useProjectColumns(restore.mutate)
  const table = {
    ...{ id: 'projects', label: t('title'), columns, onOrder: change },
    keyOf: ({ Id }: Project) => Id,
    order: { orderBy, sort: sort === 'asc' ? 'asc' : 'desc' },
    onOpen: ({ Id, IsEnabled }: Project) => {
      if (IsEnabled) void navigate({ to: '/projects/$projectId/files', params: { projectId: Id } })
    },
  } as const
  return (
    <Screen title={t('title')} actions={<CreateProjectButton />}>
      <Group gap="xs">
        <SearchField
          label={t('search')}
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text })}
        />
        <Select
          aria-label={t('sortBy')}
          w={200}
          allowDeselect={false}
          value={`${orderBy}-${sort}`}
          data={orders.map(([label, by, how]) => ({ value: `${by}-${how}`, label: t(label) }))}
          onChange={(chosen) => {
            const [by, how] = (chosen ?? '').split('-')
            change({ orderBy: by, sort: how })
          }}
        />
        <Switch
          label={t('withDeleted')}
          checked={search.deleted !== undefined}
          onChange={(event) => change({ deleted: event.currentTarget.checked ? '1' : undefined })}
        />
      </Group>
      <ProblemAlert error={restore.error} />
      <ListResults
        list={list}
        entriesOf={(page) => page.Projects}
        place={search}
        limit={limit}
        onGo={change}
        skeleton={<DataTable {...table} rows={[]} isLoading />}
        empty={
          <EmptyState
            picture={isSearch ? 'search' : 'film'}
            title={isSearch ? t('nothing') : t('empty')}
            action={
              isSearch ? (
                <Button variant="default" onClick={() => change({ search: undefined })}>
                  {t('clearSearch')}
                </Button>
              ) : (
                <CreateProjectButton />
              )
            }
          >
            {isSearch ? t('nothingText') : can('projects:write') ? t('emptyText') : t('emptyReader')}
          </EmptyState>
        }
      >
        {(projects) => <DataTable {...table} rows={projects} />}
      </ListResults>
    </Screen>
  )
}
