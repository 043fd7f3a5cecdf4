import { Anchor, Center, Stack, Title } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from './texts.ts'

export const NotFoundScreen = () => {
  const t = useTexts('shell.notFound')
  return (
    <Center component="main" mih="60vh">
      <Stack align="center" gap="sm">
        <IconMapQuestion size={48} aria-hidden />
        <Title order={1} size="h3">
          {t('title')}
        </Title>
        <Anchor renderRoot={(props) => <Link {...props} to="/" />}>{t('back')}</Anchor>
      </Stack>
    </Center>
  )
}
