import { Anchor } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** The API does not say whether the installation collects views, so the text names the setting. */
export const NoViews = () => {
  const t = useTexts('analytics.none')
  return (
    <EmptyState
      picture="people"
      title={t('title')}
      action={
        <Anchor href="/docs/analytics" target="_blank" rel="noopener" size="sm">
          {t('docs')}
        </Anchor>
      }
    >
      {t('text')}
    </EmptyState>
  )
}
