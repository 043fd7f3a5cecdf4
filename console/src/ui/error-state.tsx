import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { problemText } from '../shell/problem-text.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from './empty-state.tsx'

/** In place of a screen that could not be loaded. `ProblemAlert` is for errors beside other content. */
export const ErrorState = ({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: () => void
}) => {
  const problemWords = useTexts('ui.problem')
  const t = useTexts('ui.errorState')
  return (
    <EmptyState
      picture="problem"
      role="alert"
      title={t('title')}
      action={
        onRetry && (
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            {t('again')}
          </Button>
        )
      }
    >
      {problemText(problemWords, error)}
    </EmptyState>
  )
}
