import { Button, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { WideTable } from '../../ui/lists/wide-table.tsx'
import { pendingInvitations, type Invitation } from '../account-queries.ts'

/** Unused invitation and password links. Renders nothing without any. */
export const PendingInvitations = () => {
  const t = useTexts('account.users')
  const roleWords = useTexts('account.roles')
  const can = useCan()
  const client = useQueryClient()
  const { data = [], error } = useQuery(pendingInvitations)
  const [chosen, setChosen] = useState<Invitation | null>(null)
  const [isOpen, { open, close }] = useDisclosure()
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
      <WideTable
        label={t('invitations')}
        heads={[t('email'), t('role'), t('expires'), t('acts')]}
        minWidth={520}
      >
        {data.map((invitation) => (
          <Table.Tr key={invitation.Id}>
            <Table.Td>{invitation.Email}</Table.Td>
            <Table.Td>{invitation.Role === null ? t('passwordOf') : roleWords(invitation.Role)}</Table.Td>
            <Table.Td>{formatTime(invitation.ExpiresAt)}</Table.Td>
            <Table.Td>
              {can('users:write') && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('revokeFor', { name: invitation.Email })}
                  onClick={() => {
                    setChosen(invitation)
                    open()
                  }}
                >
                  {t('revoke')}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  )
}
