import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useSession } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { PasswordHint } from '../../ui/forms/password-hint.tsx'

export const ChangePassword = () => {
  const t = useTexts('account.changePassword')
  const client = useQueryClient()
  const { User } = useSession()
  const form = useSaveForm({
    initialValues: { CurrentPassword: '', NewPassword: '' },
    save: (passwords) => zoetrope.sessions.changePassword(passwords),
    valuesAfter: () => ({ CurrentPassword: '', NewPassword: '' }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
  const { saving } = form
  return (
    <Section title={t('title')}>
      <form onSubmit={form.submit}>
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
            {...form.getInputProps('CurrentPassword')}
          />
          <PasswordInput
            label={t('new')}
            autoComplete="new-password"
            required
            maxLength={200}
            {...form.getInputProps('NewPassword')}
          />
          <PasswordHint password={form.values.NewPassword} />
          <ProblemAlert error={form.problem} />
          <div role="status">{saving.isSuccess && <Text>{t('changed')}</Text>}</div>
          <Group>
            <Button type="submit" loading={saving.isPending}>
              {t('change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
