import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiRequestsButton } from './requests/api-requests-button.tsx'
import { ConnectionNotice } from './requests/connection-notice.tsx'
import { Navigation } from './navigation.tsx'
import { UserMenu } from './user-menu.tsx'
import { UploadsPanel } from '../uploads/uploads-panel.tsx'
import { useTexts } from './texts.ts'

export const Layout = () => {
  const t = useTexts('shell.layout')
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path, close])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={isOpen}
            />
            <img src="/icon.svg" alt="" width={28} height={28} />
            <Text fw={700} visibleFrom="xs">
              Zoetrope
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ApiRequestsButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation')}>
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <Outlet />
        <UploadsPanel />
      </AppShell.Main>
    </AppShell>
  )
}
