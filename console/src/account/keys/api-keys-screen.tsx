import { Button, Menu, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { FilterRow } from '../../ui/lists/filter-row.tsx'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../../ui/lists/use-address.ts'
import { allUsers, nameOf, type ApiKey } from '../account-queries.ts'
import { KeyDialogs, type KeyAct } from './key-dialogs.tsx'
import { KeyActs, KeyExpiry, KeyName, KeyProjects, KeyScopes, KeyUse } from './key-cells.tsx'

const limit = 50

const columnsOf = (
  t: Translate<'account.apiKeys'>,
  ownerOf: (userId: number) => string,
  projectNameOf: (id: number) => string,
): TableColumn<ApiKey>[] => [
  { key: 'label', header: t('label'), cell: (apiKey) => <KeyName apiKey={apiKey} /> },
  {
    key: 'whose',
    header: t('whose'),
    width: 150,
    hideable: true,
    yields: true,
    cell: ({ UserId }) => ownerOf(UserId),
  },
  {
    key: 'scopes',
    header: t('scopes'),
    width: 200,
    cell: (apiKey) => <KeyScopes apiKey={apiKey} />,
  },
  {
    key: 'projects',
    header: t('projects'),
    width: 160,
    hideable: true,
    yields: true,
    cell: (apiKey) => <KeyProjects apiKey={apiKey} projectNameOf={projectNameOf} />,
  },
  {
    key: 'lastUsed',
    header: t('lastUsed'),
    width: 140,
    cell: (apiKey) => <KeyUse apiKey={apiKey} />,
  },
  {
    key: 'expires',
    header: t('expires'),
    width: 120,
    isEmpty: ({ ExpiresAt }) => ExpiresAt === null,
    cell: (apiKey) => <KeyExpiry apiKey={apiKey} />,
  },
]

export const ApiKeysScreen = () => {
  const t = useTexts('account.apiKeys')
  const can = useCan()
  const [address, go] = useAddress()
  const [act, setAct] = useState<KeyAct | null>(null)
  const { data: users = [] } = useQuery({ ...allUsers, enabled: can('users:read') })
  const { data: projects = [] } = useQuery(allProjects)
  const query = {
    ...queryOf({ isEnabled: 'true', ...address }, ['search', 'userId', 'isEnabled']),
    ...pageQuery(address, limit),
  }
  const list = useQuery({
    queryKey: [...queryKeys.apiKeys, query],
    queryFn: async ({ signal }) => zoetrope.apiKeys.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const ownerOf = (id: number): string => {
    const user = users.find(({ Id }) => Id === id)
    return user === undefined ? String(id) : nameOf(user)
  }
  const projectNameOf = (id: number): string => projects.find(({ Id }) => Id === id)?.Name ?? String(id)
  return (
    <Screen
      title={t('title')}
      description={t('explained')}
      actions={
        can('keys:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAct({ kind: 'create' })}>
            {t('create')}
          </Button>
        )
      }
      menu={
        can('keys:write') ? (
          <Menu.Item onClick={() => setAct({ kind: 'policy' })}>{t('policy')}</Menu.Item>
        ) : null
      }
    >
      <KeyDialogs act={act} onClose={() => setAct(null)} />
      <FilterRow>
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        <FilterSelect
          name="userId"
          aria-label={t('whose')}
          placeholder={t('allOwners')}
          w={190}
          searchable
          data={users.map((user) => ({ value: String(user.Id), label: nameOf(user) }))}
        />
        <Select
          aria-label={t('state')}
          w={190}
          allowDeselect={false}
          value={address['isEnabled'] ?? 'true'}
          data={[
            { value: 'true', label: t('works') },
            { value: 'false', label: t('over') },
          ]}
          onChange={(isEnabled) => go({ isEnabled: isEnabled === 'false' ? 'false' : undefined })}
        />
      </FilterRow>
      <ListResults
        list={list}
        entriesOf={(page) => page.ApiKeys}
        place={address}
        limit={limit}
        onGo={go}
        empty={<EmptyState picture="key" title={t('none')} />}
      >
        {(entries) => (
          <DataTable<ApiKey>
            id="api-keys"
            label={t('title')}
            rows={entries}
            keyOf={({ Id }) => Id}
            {...(can('keys:write') && {
              onOpen: (apiKey) => apiKey.IsEnabled && setAct({ kind: 'change', apiKey }),
            })}
            columns={columnsOf(t, ownerOf, projectNameOf)}
            {...(can('keys:write') && {
              renderMenu: (apiKey) => <KeyActs apiKey={apiKey} onAct={setAct} />,
            })}
          />
        )}
      </ListResults>
    </Screen>
  )
}
