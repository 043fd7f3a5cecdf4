import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'

export const ChangePassword = () => {
  const t = useTexts('account.changePassword')
  const client = useQueryClient()
  const { User } = useSession()
  const [CurrentPassword, setCurrentPassword] = useState('')
  const [NewPassword, setNewPassword] = useState('')
  const change = useMutation({
    mutationFn: () => zoetrope.sessions.changePassword({ CurrentPassword, NewPassword }),
    onSuccess: async () => {
      setCurrentPassword('')
      setNewPassword('')
      await client.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
  const errors = fieldErrors(change.error)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Section title={t('title')}>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <Text size="sm">{t('explained')}</Text>
          {/* Password managers need the user name to update the right entry. */}
          <TextInput
            display="none"
            aria-label={t('user')}
            autoComplete="username"
            value={User.Email}
            readOnly
          />
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            required
            maxLength={200}
            value={CurrentPassword}
            error={errors['CurrentPassword']}
            onChange={(event) => setCurrentPassword(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('new')}
            autoComplete="new-password"
            required
            maxLength={200}
            value={NewPassword}
            error={errors['NewPassword']}
            onChange={(event) => setNewPassword(event.currentTarget.value)}
          />
          <ProblemAlert error={change.error} />
          <div role="status">{change.isSuccess && <Text>{t('changed')}</Text>}</div>
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
