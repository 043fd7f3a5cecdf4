import { Button, Group, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import { Screen } from '../../ui/screen.tsx'
import { queryOf, useAddress } from '../../ui/lists/use-address.ts'
import { WideTable } from '../../ui/lists/wide-table.tsx'
import { allUsers, nameOf } from '../account-queries.ts'
import { AuditRow } from './audit-row.tsx'
import { auditSubjects } from './audit-actions.ts'

/** Returns the start of a local day as an instant for the API, or null for an invalid day. */
const dayStart = (day: string | undefined, daysLater: number): string | null => {
  const start = new Date(`${day}T00:00:00`)
  if (day === undefined || Number.isNaN(start.getTime())) return null
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}

const limit = 50

export const AuditScreen = () => {
  const t = useTexts('account.audit')
  const tSubject = useTexts('account.auditSubjects')
  const can = useCan()
  const [address, go] = useAddress()
  const { data: users = [] } = useQuery({ ...allUsers, enabled: can('users:read') })
  const from = dayStart(address['from'], 0)
  const to = dayStart(address['to'], 1)
  const query = {
    ...queryOf(address, ['action', 'userId', 'subjectId', 'requestId']),
    ...pageQuery(address, limit),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  }
  const list = useQuery({
    queryKey: [...queryKeys.audit, query],
    queryFn: async ({ signal }) => zoetrope.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Screen title={t('title')}>
      <Text>{t('explained')}</Text>
      <Group align="end">
        <FilterSelect
          name="action"
          label={t('subject')}
          data={auditSubjects.map((subject) => ({ value: `${subject}.*`, label: tSubject(subject) }))}
        />
        <FilterSelect
          name="userId"
          label={t('who')}
          searchable
          data={users.map((user) => ({ value: String(user.Id), label: nameOf(user) }))}
        />
        {(['from', 'to'] as const).map((side) => (
          <TextInput
            key={side}
            type="date"
            label={t(side)}
            value={address[side] ?? ''}
            onChange={(event) => go({ [side]: event.currentTarget.value })}
          />
        ))}
      </Group>
      {address['requestId'] !== undefined && (
        <Group>
          <Text style={{ overflowWrap: 'anywhere' }}>{t('request', { id: address['requestId'] })}</Text>
          <Button size="compact-sm" variant="default" onClick={() => go({ requestId: undefined })}>
            {t('allRequests')}
          </Button>
        </Group>
      )}
      <ListResults
        list={list}
        entriesOf={(page) => page.AuditEntries}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text>{t('none')}</Text>}
      >
        {(entries) => (
          <WideTable
            label={t('title')}
            heads={[t('when'), t('who'), t('what'), t('record'), t('changes')]}
            minWidth={900}
          >
            {entries.map((entry) => (
              <AuditRow key={entry.Id} entry={entry} />
            ))}
          </WideTable>
        )}
      </ListResults>
    </Screen>
  )
}
