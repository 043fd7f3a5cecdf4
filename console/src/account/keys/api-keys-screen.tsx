import { Button, Group, Select, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../../ui/lists/use-address.ts'
import { WideTable } from '../../ui/lists/wide-table.tsx'
import { allUsers, nameOf } from '../account-queries.ts'
import { KeyDialogs, type KeyAct } from './key-dialogs.tsx'
import { KeyRow } from './key-row.tsx'

const limit = 50

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
      actions={
        can('keys:write') && (
          <Group>
            <Button variant="default" onClick={() => setAct({ kind: 'policy' })}>
              {t('policy')}
            </Button>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setAct({ kind: 'create' })}
            >
              {t('create')}
            </Button>
          </Group>
        )
      }
    >
      <KeyDialogs act={act} onClose={() => setAct(null)} />
      <Text>{t('explained')}</Text>
      <Group align="end">
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        <FilterSelect
          name="userId"
          label={t('whose')}
          searchable
          data={users.map((user) => ({ value: String(user.Id), label: nameOf(user) }))}
        />
        <Select
          label={t('state')}
          allowDeselect={false}
          value={address['isEnabled'] ?? 'true'}
          data={[
            { value: 'true', label: t('works') },
            { value: 'false', label: t('over') },
          ]}
          onChange={(isEnabled) => go({ isEnabled: isEnabled === 'false' ? 'false' : undefined })}
        />
      </Group>
      <ListResults
        list={list}
        entriesOf={(page) => page.ApiKeys}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text>{t('none')}</Text>}
      >
        {(entries) => (
          <WideTable
            label={t('title')}
            heads={[
              t('label'),
              t('whose'),
              t('scopes'),
              t('projects'),
              t('lastUsed'),
              t('expires'),
              t('acts'),
            ]}
            minWidth={900}
          >
            {entries.map((apiKey) => (
              <KeyRow
                key={apiKey.Id}
                apiKey={apiKey}
                owner={ownerOf(apiKey.UserId)}
                projectNameOf={projectNameOf}
                onAct={setAct}
              />
            ))}
          </WideTable>
        )}
      </ListResults>
    </Screen>
  )
}
