import { Code, Group, Stack, Table, Text } from '@mantine/core'
import type { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatTime } from '../../ui/format.ts'
import { nameOf } from '../account-queries.ts'
import { actionText } from './audit-actions.ts'

type Entry = Awaited<ReturnType<typeof zoetrope.audit.list>>['AuditEntries'][number]
type Change = Entry['Changes'][number]

const shownChanges = 6
const shownCharacters = 120

export const AuditRow = ({ entry }: { readonly entry: Entry }) => {
  const t = useTexts('account.audit')
  const { User, Address, ApiKeyId, Subject, SubjectId, Changes } = entry
  const who = User === null ? t(Address === '' ? 'zoetrope' : 'nobody') : nameOf(User) || String(User.Id)
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(entry.OccurredAt)}</Table.Td>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {who}
        </Text>
        <Text size="sm" c="dimmed">
          {Address} {ApiKeyId !== null && t('byKey')}
        </Text>
      </Table.Td>
      <Table.Td>{actionText(entry.Action)}</Table.Td>
      <Table.Td>
        {Subject}{' '}
        <Text span size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {SubjectId}
        </Text>
      </Table.Td>
      <Table.Td maw={480}>
        <Stack gap={4}>
          {Changes.slice(0, shownChanges).map((change) => (
            <ChangeShown key={change.Field} change={change} />
          ))}
          {Changes.length > shownChanges && (
            <Text size="sm">{t('more', { count: Changes.length - shownChanges })}</Text>
          )}
        </Stack>
      </Table.Td>
    </Table.Tr>
  )
}

const sides = [
  ['Before', 'before'],
  ['After', 'after'],
  ['Added', 'added'],
  ['Removed', 'removed'],
] as const

const ChangeShown = ({ change }: { readonly change: Change }) => {
  const t = useTexts('account.audit')
  const isNew = change.Before === undefined
  const textOf = (value: unknown): string => {
    if (value === null || value === '') return t('empty')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  }
  return (
    <Group gap={6}>
      <Text size="sm" fw={500}>
        {change.Field}
      </Text>
      {sides.map(
        ([field, word]) =>
          change[field] !== undefined && (
            <Text key={field} size="sm">
              {field === 'After' && isNew ? '' : `${t(word)} `}
              <Code style={{ overflowWrap: 'anywhere' }}>{textOf(change[field])}</Code>
            </Text>
          ),
      )}
    </Group>
  )
}
