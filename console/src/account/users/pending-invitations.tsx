import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { pendingInvitations, type Invitation } from '../account-queries.ts'

const columnsOf = (
  t: Translate<'account.users'>,
  roleWords: Translate<'account.roles'>,
  onRevoke: ((invitation: Invitation) => void) | null,
): TableColumn<Invitation>[] => [
  { key: 'email', header: t('email'), cell: ({ Email }) => Email },
  {
    key: 'role',
    header: t('role'),
    width: 180,
    cell: ({ Role }) => (Role === null ? t('passwordOf') : roleWords(Role)),
  },
  {
    key: 'expires',
    header: t('expires'),
    width: 150,
    cell: ({ ExpiresAt }) => <RelativeTime instant={ExpiresAt} />,
  },
  {
    key: 'acts',
    header: t('acts'),
    width: 110,
    align: 'end',
    cell: (invitation) =>
      onRevoke !== null && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('revokeFor', { name: invitation.Email })}
          onClick={() => onRevoke(invitation)}
        >
          {t('revoke')}
        </Button>
      ),
  },
]

/** Unused invitation and password links. Renders nothing without any. */
export const PendingInvitations = () => {
  const t = useTexts('account.users')
  const roleWords = useTexts('account.roles')
  const can = useCan()
  const client = useQueryClient()
  const { data = [], error } = useQuery(pendingInvitations)
  const [chosen, setChosen] = useState<Invitation | null>(null)
  const [isOpen, { open, close }] = useDisclosure()
  const ask = (invitation: Invitation): void => {
    setChosen(invitation)
    open()
  }
  if (error !== null) return <ProblemAlert error={error} />
  if (data.length === 0 && !isOpen) return null
  return (
    <Section title={t('invitations')}>
      <Confirm
        isOpen={isOpen}
        onClose={close}
        title={t('revokeTitle')}
        text={t('revokeText', { name: chosen?.Email })}
        action={t('revoke')}
        onConfirm={async () => {
          if (chosen !== null) await zoetrope.invitations.revoke(chosen.Id)
          await client.invalidateQueries({ queryKey: queryKeys.invitations })
        }}
      />
      <DataTable
        id="invitations"
        label={t('invitations')}
        rows={data}
        keyOf={({ Id }) => Id}
        columns={columnsOf(t, roleWords, can('users:write') ? ask : null)}
      />
    </Section>
  )
}
