import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { Screen } from '../ui/screen.tsx'
import { Checklist, useOwnSteps } from './checklist.tsx'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { firstFileQuery, useFacts } from './facts.ts'
import { hideSteps, useKeptTicks } from './kept-ticks.ts'
import { Overview } from './overview/overview.tsx'

/** Shows the first steps until they are completed or hidden, and the overview below. */
export const StartScreen = () => {
  const t = useTexts('start.screen')
  const { User } = useSession()
  const navigate = useNavigate()
  const { steps: asked } = useSearch({ from: '/inside/' })
  const { ticks, isHidden } = useKeptTicks(User.Id)
  const steps = useOwnSteps()
  useFacts(ticks)
  useEffect(() => {
    if (asked === 'shown') hideSteps(User.Id, false)
  }, [asked, User.Id])
  const hide = (): void => {
    hideSteps(User.Id, true)
    void navigate({ to: '/', search: {} })
  }
  const isIncomplete = steps.some((name) => !ticks.includes(name))
  const { isPending } = useQuery(firstFileQuery)
  const isShown = !isHidden && (isIncomplete || asked === 'shown')
  return (
    <Screen
      title={t('title')}
      actions={
        isHidden &&
        isIncomplete && (
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to="/" search={{ steps: 'shown' }} />}
          >
            {t('steps')}
          </Button>
        )
      }
    >
      {isShown && isPending ? (
        // The open step would move what is below when it knows its video.
        <ListSkeleton rows={3} rowHeight={160} />
      ) : (
        <>
          {isShown && <Checklist ticks={ticks} onHide={hide} />}
          <Overview />
        </>
      )}
    </Screen>
  )
}
