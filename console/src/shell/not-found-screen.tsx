import { Anchor, Center, EmptyState } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from './texts.ts'

export const NotFoundScreen = () => {
  const t = useTexts('shell.notFound')
  return (
    <Center component="main" mih="60vh">
      <EmptyState
        icon={<IconMapQuestion size={48} aria-hidden />}
        title={t('title')}
        description={<Anchor renderRoot={(props) => <Link {...props} to="/" />}>{t('back')}</Anchor>}
      />
    </Center>
  )
}
