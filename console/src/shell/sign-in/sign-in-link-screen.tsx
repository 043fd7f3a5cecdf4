import { Button, Loader, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { zoetrope } from '../api.ts'
import { problemText } from '../problem-text.ts'
import { beginSession } from '../session.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { takeToken } from './take-token.ts'
import { useTexts } from '../texts.ts'

export const SignInLinkScreen = () => {
  const t = useTexts('shell.signInLink')
  const problemWords = useTexts('ui.problem')
  const navigate = useNavigate()
  const [Token] = useState(takeToken)
  const { mutate, error } = useMutation({
    mutationFn: () => zoetrope.sessions.signInByLink({ Token }),
    onSuccess: (session) => {
      beginSession(session)
      void navigate({ to: '/' })
    },
  })
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current || Token === '') return
    isAsked.current = true
    mutate()
  }, [mutate, Token])
  if (Token === '' || error !== null)
    return (
      <main>
        <SignInFrame>
          <EmptyState
            picture="link"
            level={1}
            role="alert"
            title={t('failed')}
            action={
              <Button fullWidth renderRoot={(props) => <Link {...props} to="/" />}>
                {t('other')}
              </Button>
            }
          >
            {error === null ? t('incomplete') : problemText(problemWords, error)}
          </EmptyState>
        </SignInFrame>
      </main>
    )
  return (
    <main>
      <SignInFrame>
        <Stack align="center">
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          <Loader />
        </Stack>
      </SignInFrame>
    </main>
  )
}
