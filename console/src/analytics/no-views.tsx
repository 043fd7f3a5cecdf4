import { Anchor } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'

export const NoViews = ({ isCollecting }: { readonly isCollecting: boolean }) => {
  const t = useTexts('analytics.none')
  return (
    <EmptyState
      picture="people"
      title={t(isCollecting ? 'title' : 'offTitle')}
      action={
        <Anchor href="/docs/analytics" target="_blank" rel="noopener" size="sm">
          {t('docs')}
        </Anchor>
      }
    >
      {t(isCollecting ? 'text' : 'offText')}
    </EmptyState>
  )
}
