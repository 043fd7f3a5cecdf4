import { Alert, Button, Group } from '@mantine/core'
import { problemText, useProblemWords } from '../shell/problem-text.ts'
import { defineWords } from '../shell/words.ts'

const useWords = defineWords('problem-alert', {
  en: { again: 'Try again' },
  de: { again: 'Noch einmal versuchen' },
})

/** Shows an error as text. Renders nothing without one. */
export const ProblemAlert = ({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) => {
  const problemWords = useProblemWords()
  const t = useWords()
  if (error == null) return null
  return (
    <Alert color="red" variant="outline" role="alert">
      <Group justify="space-between">
        {problemText(problemWords, error)}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('again')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
