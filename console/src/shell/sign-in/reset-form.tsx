import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { zoetrope } from '../api.ts'
import { useTexts } from '../texts.ts'

/** Requests a password link by e-mail. */
export const ResetForm = ({ email, onBack }: { readonly email: string; readonly onBack: () => void }) => {
  const t = useTexts('shell.reset')
  const form = useSaveForm({
    initialValues: { Email: email },
    save: (body) => zoetrope.sessions.requestPasswordReset(body),
  })
  const { saving } = form
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <Title order={1} size="h2">
          {t('title')}
        </Title>
        {saving.isSuccess ? (
          <Text role="status">{t('sent')}</Text>
        ) : (
          <>
            <Text>{t('explained')}</Text>
            <ProblemAlert error={form.problem} />
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('Email')}
              ref={input}
            />
          </>
        )}
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          {!saving.isSuccess && (
            <Button type="submit" loading={saving.isPending}>
              {t('send')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
