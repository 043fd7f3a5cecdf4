import './audit.css'
import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterRow } from '../../ui/lists/filter-row.tsx'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { ListSkeleton } from '../../ui/lists/list-skeleton.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import { Screen } from '../../ui/screen.tsx'
import { queryOf, useAddress } from '../../ui/lists/use-address.ts'
import { allUsers, nameOf } from '../account-queries.ts'
import { auditSubjects, recordText } from './audit-actions.ts'
import { byDay, dayStart } from './audit-days.ts'
import { AuditEntry } from './audit-entry.tsx'
import { nameInChanges, type Entry } from './audit-values.ts'

const limit = 50
const filters = ['action', 'userId', 'from', 'to', 'subject', 'subjectId', 'requestId'] as const

/** The name of the changed record: as the act has it, or as it is now. Null while the names load. */
const useRecordNames = (): ((entry: Entry) => string | null) | null => {
  const can = useCan()
  const { data: users = [], isLoading: areUsersLoading } = useQuery({
    ...allUsers,
    enabled: can('users:read'),
  })
  const { data: projects = [], isLoading: areProjectsLoading } = useQuery(allProjects)
  const { data: webhooks = [], isLoading: areWebhooksLoading } = useQuery({
    queryKey: [...queryKeys.webhooks, 'names'],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.webhooks.list({ limit: 500 }, { signal })
      return page.Webhooks
    },
    enabled: can('webhooks:read'),
  })
  if (areUsersLoading || areProjectsLoading || areWebhooksLoading) return null
  return ({ Subject, SubjectId, Changes }) => {
    if (Subject === 'User') {
      const user = users.find(({ Id }) => String(Id) === SubjectId)
      if (user !== undefined) return nameOf(user)
    }
    if (Subject === 'Project' || Subject === 'Live') {
      const project = projects.find(({ Id }) => String(Id) === SubjectId)
      if (project !== undefined) return project.Name
    }
    if (Subject === 'Webhook') {
      const webhook = webhooks.find(({ Id }) => String(Id) === SubjectId)
      if (webhook !== undefined && webhook.Label !== '') return webhook.Label
    }
    return nameInChanges(Changes)
  }
}

const AuditFilters = () => {
  const t = useTexts('account.audit')
  const tSubject = useTexts('account.auditSubjects')
  const can = useCan()
  const [address, go] = useAddress()
  const { data: users = [] } = useQuery({ ...allUsers, enabled: can('users:read') })
  const isFiltered = filters.some((name) => address[name] !== undefined)
  const { subject, subjectId, requestId } = address
  return (
    <FilterRow>
      <FilterSelect
        name="action"
        aria-label={t('subject')}
        placeholder={t('allSubjects')}
        searchable
        w={200}
        className="filter-wide"
        data={auditSubjects.map((one) => ({ value: `${one}.*`, label: tSubject(one) }))}
      />
      <FilterSelect
        name="userId"
        aria-label={t('who')}
        placeholder={t('allUsers')}
        searchable
        w={190}
        data={users.map((user) => ({ value: String(user.Id), label: nameOf(user) }))}
      />
      {(['from', 'to'] as const).map((side) => (
        <TextInput
          key={side}
          type="date"
          aria-label={t(side)}
          leftSection={<Text size="xs">{t(side)}</Text>}
          leftSectionWidth={44}
          w={190}
          value={address[side] ?? ''}
          onChange={(event) => go({ [side]: event.currentTarget.value })}
        />
      ))}
      {subjectId !== undefined && (
        <Button
          size="xs"
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => go({ subject: undefined, subjectId: undefined })}
        >
          {t('recordFilter', { record: recordText({ Subject: subject ?? '', SubjectId: subjectId }) })}
        </Button>
      )}
      {requestId !== undefined && (
        <Button
          size="xs"
          variant="light"
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => go({ requestId: undefined })}
        >
          {t('requestFilter', { id: requestId.slice(0, 8) })}
        </Button>
      )}
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => go(Object.fromEntries(filters.map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
    </FilterRow>
  )
}

export const AuditScreen = () => {
  const t = useTexts('account.audit')
  const [address, go] = useAddress()
  const recordNameOf = useRecordNames()
  const from = dayStart(address['from'], 0)
  const to = dayStart(address['to'], 1)
  const query = {
    ...queryOf(address, ['action', 'userId', 'subject', 'subjectId', 'requestId']),
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
    <Screen title={t('title')} description={t('explained')}>
      <AuditFilters />
      <ListResults
        // Names that come later would move the entries below.
        list={recordNameOf === null ? { ...list, data: undefined, isPending: true } : list}
        entriesOf={(page) => page.AuditEntries}
        place={address}
        limit={limit}
        onGo={go}
        empty={<EmptyState picture="search" title={t('none')} />}
        skeleton={<ListSkeleton rows={10} rowHeight={40} />}
      >
        {(entries) => (
          <Stack gap="lg">
            {byDay(entries).map(([day, acts]) => (
              <section key={day} className="audit-day" aria-label={day}>
                <Title order={2} size="h6" c="dimmed">
                  {day}
                </Title>
                <ul>
                  {acts.map((entry) => (
                    <AuditEntry key={entry.Id} entry={entry} recordName={recordNameOf?.(entry) ?? null} />
                  ))}
                </ul>
              </section>
            ))}
          </Stack>
        )}
      </ListResults>
    </Screen>
  )
}
