import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { takeToken } from './take-token.ts'
import { useTexts } from '../texts.ts'

/** Target of invitation and password links. */
export const AcceptScreen = () => {
  const t = useTexts('shell.accept')
  const navigate = useNavigate()
  const [Token] = useState(takeToken)
  const [Name, setName] = useState('')
  const [Password, setPassword] = useState('')
  const accept = useMutation({
    mutationFn: () => zoetrope.sessions.acceptInvitation({ Token, Password, Name }),
    onSuccess: (session) => {
      beginSession(session)
      void navigate({ to: '/' })
    },
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    accept.mutate()
  }
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          {Token === '' ? (
            <Text role="alert">{t('notWhole')}</Text>
          ) : (
            <form onSubmit={submit}>
              <Stack>
                <Text>{t('advice')}</Text>
                <ProblemAlert error={accept.error} />
                <TextInput
                  label={t('name')}
                  autoComplete="name"
                  maxLength={200}
                  value={Name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <PasswordInput
                  label={t('password')}
                  autoComplete="new-password"
                  maxLength={200}
                  required
                  value={Password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                />
                <Button type="submit" loading={accept.isPending}>
                  {t('signIn')}
                </Button>
              </Stack>
            </form>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}
