import { Alert, Button, Group } from '@mantine/core'
import { problemText } from '../shell/problem-text.ts'
import { useTexts } from '../shell/texts.ts'

/** Shows an error as text. Renders nothing without one. */
export const ProblemAlert = ({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) => {
  const problemWords = useTexts('ui.problem')
  const t = useTexts('ui.problemAlert')
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
