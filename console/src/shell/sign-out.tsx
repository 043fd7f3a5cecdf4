import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Confirm } from '../ui/confirm.tsx'
import { countUnfinished, dropUploads } from '../uploads/upload-queue.ts'
import { problemText, useProblemWords } from './problem-text.ts'
import { endSession, useSession } from './session.ts'
import { defineWords } from './words.ts'

const useWords = defineWords('sign-out', {
  en: {
    title_one: '{{count}} upload is not finished',
    title_other: '{{count}} uploads are not finished',
    text_one:
      'Signing out stops it and removes what this computer has kept of it, so that nobody else finds it here. To finish it, stay signed in.',
    text_other:
      'Signing out stops them and removes what this computer has kept of them, so that nobody else finds it here. To finish them, stay signed in.',
    action: 'Sign out and remove',
    failed: 'You are still signed in.',
  },
  de: {
    title_one: '{{count}} Upload ist nicht fertig',
    title_other: '{{count}} Uploads sind nicht fertig',
    text_one:
      'Beim Abmelden wird er abgebrochen, und was dieser Computer davon aufbewahrt, wird gelöscht: Niemand sonst findet es hier. Damit er fertig wird, bleiben Sie angemeldet.',
    text_other:
      'Beim Abmelden werden sie abgebrochen, und was dieser Computer davon aufbewahrt, wird gelöscht: Niemand sonst findet es hier. Damit sie fertig werden, bleiben Sie angemeldet.',
    action: 'Abmelden und löschen',
    failed: 'Sie sind noch angemeldet.',
  },
})

/** Signs out immediately, or asks first when uploads would be lost. The caller must render `question`. */
export const useSignOut = () => {
  const t = useWords()
  const tProblem = useProblemWords()
  const { User } = useSession()
  const [lostCount, setLostCount] = useState(0)
  const [isAsked, setIsAsked] = useState(false)
  const signOut = () => endSession(dropUploads)
  const ask = async (): Promise<void> => {
    const count = await countUnfinished(User.Id)
    // A failed sign-out must be visible, because the user may leave the computer to others.
    if (count === 0)
      await signOut().catch((error: unknown) =>
        notifications.show({ color: 'red', title: t('failed'), message: problemText(tProblem, error) }),
      )
    else {
      setLostCount(count)
      setIsAsked(true)
    }
  }
  const question = (
    <Confirm
      isOpen={isAsked}
      onClose={() => setIsAsked(false)}
      title={t('title', { count: lostCount })}
      text={t('text', { count: lostCount })}
      action={t('action')}
      onConfirm={signOut}
    />
  )
  return { signOut: ask, question }
}
