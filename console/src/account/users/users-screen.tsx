import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roles } from '@zoetrope/vocabulary'
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
import { InviteDialog } from './invite-dialog.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { SignInPolicySection } from './sign-in-policy-section.tsx'
import { UserDialogs, type UserAct } from './user-dialogs.tsx'
import { UserRow } from './user-row.tsx'

const limit = 50

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
      <Group align="end">
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        <FilterSelect
          name="role"
          label={t('role')}
          data={roles.map((role) => ({ value: role, label: roleWords(role) }))}
        />
        <FilterSelect
          name="isEnabled"
          label={t('state')}
          data={(['true', 'false'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      <ListResults
        list={list}
        entriesOf={(page) => page.Users}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text>{t('none')}</Text>}
      >
        {(entries) => (
          <WideTable
            label={t('title')}
            heads={[t('person'), t('role'), t('state'), t('lastSignIn'), t('keys'), t('acts')]}
            minWidth={760}
          >
            {entries.map((user) => (
              <UserRow key={user.Id} user={user} onAct={setAct} />
            ))}
          </WideTable>
        )}
      </ListResults>
      <PendingInvitations />
      <SignInPolicySection />
    </Screen>
  )
}
