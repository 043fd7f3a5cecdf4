import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roles } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { FilterRow } from '../../ui/lists/filter-row.tsx'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../../ui/lists/use-address.ts'
import { pendingInvitations, type User } from '../account-queries.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { SignInPolicySection } from './sign-in-policy-section.tsx'
import { UserDialogs, type UserAct } from './user-dialogs.tsx'
import { LastSignIn, UserActs, UserName, UserRole, UserState } from './user-cells.tsx'

const limit = 50

const columnsOf = (t: Translate<'account.users'>): TableColumn<User>[] => [
  { key: 'person', header: t('person'), cell: (user) => <UserName user={user} /> },
  { key: 'role', header: t('role'), width: 150, cell: (user) => <UserRole user={user} /> },
  { key: 'state', header: t('state'), width: 120, cell: (user) => <UserState user={user} /> },
  {
    key: 'lastSignIn',
    header: t('lastSignIn'),
    width: 140,
    cell: (user) => <LastSignIn user={user} />,
  },
  {
    key: 'keys',
    header: t('keys'),
    width: 110,
    align: 'end',
    hideable: true,
    yields: true,
    cell: ({ ApiKeyCount }) => formatNumber(ApiKeyCount),
  },
]

export const UsersScreen = () => {
  const t = useTexts('account.users')
  const roleWords = useTexts('account.roles')
  const can = useCan()
  const [address, go] = useAddress()
  const [isInviting, { open, close }] = useDisclosure()
  const [act, setAct] = useState<UserAct | null>(null)
  const query = {
    ...queryOf(address, ['search', 'role', 'isEnabled']),
    ...pageQuery(address, limit),
    orderBy: 'name',
    sort: 'asc',
  } as const
  const list = useQuery({
    queryKey: [...queryKeys.users, query],
    queryFn: async ({ signal }) => zoetrope.users.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  // A list that comes later would move the cards below.
  const invitations = useQuery(pendingInvitations)
  // Without the right to read users, a request that failed would be sent again and again.
  const isComplete = can('users:read') && list.isFetched && invitations.isFetched
  return (
    <Screen
      title={t('title')}
      actions={
        can('users:write') && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
            {t('invite')}
          </Button>
        )
      }
    >
      <InviteDialog isOpen={isInviting} onClose={close} />
      <UserDialogs act={act} onClose={() => setAct(null)} />
      <FilterRow>
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        <FilterSelect
          name="role"
          aria-label={t('role')}
          placeholder={t('allRoles')}
          w={170}
          data={roles.map((role) => ({ value: role, label: roleWords(role) }))}
        />
        <FilterSelect
          name="isEnabled"
          aria-label={t('state')}
          placeholder={t('allStates')}
          w={150}
          data={(['true', 'false'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </FilterRow>
      <ListResults
        list={list}
        entriesOf={(page) => page.Users}
        place={address}
        limit={limit}
        onGo={go}
        empty={<EmptyState picture="people" title={t('none')} />}
      >
        {(entries) => (
          <DataTable<User>
            id="users"
            label={t('title')}
            rows={entries}
            keyOf={({ Id }) => Id}
            {...(can('users:write') && { onOpen: (user) => setAct({ kind: 'edit', user }) })}
            columns={columnsOf(t)}
            {...(can('users:write') && {
              renderMenu: (user) => <UserActs user={user} onAct={setAct} />,
            })}
          />
        )}
      </ListResults>
      {isComplete && <PendingInvitations />}
      {isComplete && <SignInPolicySection />}
    </Screen>
  )
}
