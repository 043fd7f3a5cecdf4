import { Anchor, Center, EmptyState } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { defineWords } from './words.ts'

const useWords = defineWords('not-found', {
  en: { title: 'There is nothing at this address', back: 'To the start' },
  de: { title: 'Unter dieser Adresse ist nichts', back: 'Zum Start' },
})

export const NotFoundScreen = () => {
  const t = useWords()
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
