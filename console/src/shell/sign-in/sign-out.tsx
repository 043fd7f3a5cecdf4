import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Confirm } from '../../ui/confirm.tsx'
import { hasUnsavedChanges } from '../../ui/forms/unsaved-changes.tsx'
import { countUnfinished, dropUploads } from '../../uploads/upload-queue.ts'
import { problemText } from '../problem-text.ts'
import { endSession, useSession } from '../session.ts'
import { useTexts } from '../texts.ts'

/** Signs out immediately, or asks first when uploads or unsaved changes would be lost. The caller must render `question`. */
export const useSignOut = () => {
  const t = useTexts('shell.signOut')
  const tProblem = useTexts('ui.problem')
  const { User } = useSession()
  const [lostCount, setLostCount] = useState(0)
  const [isAsked, setIsAsked] = useState(false)
  const signOut = () => endSession(dropUploads)
  const ask = async (): Promise<void> => {
    const count = await countUnfinished(User.Id)
    // A failed sign-out must be visible, because the user may leave the computer to others.
    if (count === 0 && !hasUnsavedChanges())
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
      title={lostCount === 0 ? t('unsavedTitle') : t('title', { count: lostCount })}
      text={lostCount === 0 ? t('unsavedText') : t('text', { count: lostCount })}
      action={t('action')}
      onConfirm={signOut}
    />
  )
  return { signOut: ask, question }
}
