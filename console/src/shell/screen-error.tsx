import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { lazyRouteComponent, type ErrorComponentProps } from '@tanstack/react-router'
import { ConnectionError } from '@zoetrope/sdk'
import { problemText } from './problem-text.ts'
import { useTexts } from './texts.ts'

/** The code of a screen could not be loaded. */
class ScreenLoadError extends Error {
  readonly retry: () => Promise<void>
  constructor(retry: () => Promise<void>, cause: unknown) {
    super('cannot load the code of a screen', { cause })
    this.retry = retry
  }
}

/**
 * On the error of the browser, the router would reload the page. Without a connection, that replaces the console, its
 * uploads and unsaved input by an error page of the browser.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, exportName) => {
  const screen = lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new ScreenLoadError(async () => screen.preload?.(), error)
      }),
    exportName,
  )
  return screen
}

/** In place of a screen that cannot be loaded or shown. The navigation beside it stays. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const t = useTexts('ui.errorState')
  const problemWords = useTexts('ui.problem')
  const isUnloaded = error instanceof ScreenLoadError
  const retry = async (): Promise<void> => {
    if (isUnloaded) await error.retry()
    reset()
  }
  return (
    <Center mih="60vh">
      <Stack align="center" gap="sm" role="alert">
        <IconPlugConnectedX size={48} aria-hidden />
        <Title order={1} size="h3">
          {t('title')}
        </Title>
        <Text ta="center" maw={440}>
          {problemText(problemWords, isUnloaded ? new ConnectionError(error.message) : error)}
        </Text>
        <Button variant="default" onClick={() => void retry()}>
          {t('again')}
        </Button>
      </Stack>
    </Center>
  )
}
