import { ApiError } from '@zoetrope/sdk'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { followEvents } from '../events.ts'
import { queryClient, queryKeys } from '../query.ts'
import type { Session } from '../session-record.ts'
import { sessionQuery } from '../session-query.ts'
import { SessionContext } from '../session.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { SignInForm, SignInPage } from './sign-in-page.tsx'
import { StartingScreen } from './starting-screen.tsx'
import { useTexts } from '../texts.ts'

/**
 * A 401 response means that the session has ended. The screens and their forms stay mounted behind the
 * sign-in form.
 */
queryClient.getQueryCache().subscribe((event) => {
  // Cached errors from before the sign-in stay in the cache, so only new errors count.
  if (event.type === 'updated' && event.action.type === 'error') noticeEnd(event.action.error)
})
queryClient.getMutationCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'error') noticeEnd(event.action.error)
})

const noticeEnd = (error: unknown): void => {
  if (!(error instanceof ApiError)) return
  if (error.reason === 'second_factor_setup_required')
    void queryClient.invalidateQueries({ queryKey: queryKeys.session })
  if (error.status !== 401) return
  const session = queryClient.getQueryData(queryKeys.session)
  if (session !== null) queryClient.setQueryData(queryKeys.session, null)
}

const aboveAll = 1_000

const SetUpScreen = lazy(async () => ({
  default: (await import('../../account/security/set-up-screen.tsx')).SetUpScreen,
}))

/**
 * Shows the screens only to signed-in users. When a session ends by itself, the screen stays behind the
 * sign-in form with all input; another user starts with fresh screens.
 */
export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const { data: session } = useQuery(sessionQuery)
  const [shown, setShown] = useState<Session | null>(null)
  const words = useTexts('shell.signIn')
  if (session && session !== shown) {
    if (shown !== null && shown.User.Id !== session.User.Id) location.reload()
    setShown(session)
  }
  // Lasts until the user has saved the recovery codes, although the session needs no more factor by then.
  const [isSettingUp, setIsSettingUp] = useState(false)
  const mustSetUp = session?.MustSetUpFactor === true
  if (mustSetUp && !isSettingUp) setIsSettingUp(true)
  const userId = session?.User.Id
  useEffect(() => {
    if (userId === undefined || mustSetUp) return undefined
    const controller = new AbortController()
    void followEvents(userId, controller.signal)
    return () => controller.abort()
  }, [userId, mustSetUp])
  if (session === undefined) return <StartingScreen />
  if (shown === null) return <SignInPage />
  return (
    <>
      {/* Above the dialog of an open form, too. */}
      <Modal
        opened={session === null}
        onClose={() => {}}
        withCloseButton={false}
        fullScreen
        zIndex={aboveAll}
        attributes={{ content: { 'aria-label': words('title') } }}
      >
        <SignInForm email={shown.User.Email} />
      </Modal>
      <SessionContext value={shown}>
        <ConfirmDialog />
        {isSettingUp ? (
          <Suspense fallback={<StartingScreen />}>
            <SetUpScreen
              onDone={() => {
                void queryClient
                  .refetchQueries({ queryKey: queryKeys.session })
                  .then(() => setIsSettingUp(false))
              }}
            />
          </Suspense>
        ) : (
          children
        )}
      </SessionContext>
    </>
  )
}
