import { Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { zoetrope } from '../api.ts'
import { beginSession } from '../session.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { takeToken } from './take-token.ts'
import { useTexts } from '../texts.ts'

export const SignInLinkScreen = () => {
  const t = useTexts('shell.signInLink')
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
  const isVoid = Token === '' || error !== null
  return (
    <main>
      <SignInFrame>
        <Stack align={isVoid ? 'stretch' : 'center'}>
          <Title order={1} size="h2">
            {isVoid ? t('failed') : t('title')}
          </Title>
          {isVoid ? (
            <>
              {error === null ? <Text>{t('incomplete')}</Text> : <ProblemAlert error={error} />}
              <Button renderRoot={(props) => <Link {...props} to="/" />}>{t('other')}</Button>
            </>
          ) : (
            <Loader />
          )}
        </Stack>
      </SignInFrame>
    </main>
  )
}
