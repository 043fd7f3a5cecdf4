import { AppShell, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { CommandDialog } from './commands/command-dialog.ts'
import { Commands } from './commands/commands.tsx'
import { SearchTrigger } from './commands/search-trigger.tsx'
import { BottomBar } from './navigation/bottom-bar.tsx'
import { Navigation } from './navigation/navigation.tsx'
import { UserMenu } from './navigation/user-menu.tsx'
import { ApiRequestsButton } from './requests/api-requests-button.tsx'
import { ConnectionNotice } from './requests/connection-notice.tsx'
import { DropProjects } from '../library/move/drop-projects.tsx'
import { useTexts } from './texts.ts'

/** No screen needs it at once. */
const UploadsPanel = lazy(async () => {
  const module = await import('../uploads/uploads-panel.tsx')
  return { default: module.UploadsPanel }
})

export const Layout = () => {
  const t = useTexts('shell.layout')
  const [isOpen, { toggle, close }] = useDisclosure()
  const [dialog, setDialog] = useState<CommandDialog | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path, close])
  return (
    <AppShell
      navbar={{ width: 236, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Navbar className="side-bar" aria-label={t('navigation')}>
        <Group className="side-bar-head" justify="space-between" wrap="nowrap">
          <Link to="/" className="side-bar-logo">
            <img src="/icon.svg" alt="" width={24} height={24} />
            <Text component="span" fw={650}>
              Zoetrope
            </Text>
          </Link>
          <ApiRequestsButton onPress={() => setDialog('api')} />
        </Group>
        <SearchTrigger onPress={() => setDialog('palette')} />
        <ScrollArea flex={1} type="hover" scrollbarSize={6}>
          <Navigation />
        </ScrollArea>
        <div className="side-bar-foot">
          <UserMenu />
        </div>
        <DropProjects />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <Outlet />
        <Suspense fallback={null}>
          <UploadsPanel />
        </Suspense>
      </AppShell.Main>
      <BottomBar isMenuOpen={isOpen} onMenu={toggle} onSearch={() => setDialog('palette')} />
      <Commands shown={dialog} onShow={setDialog} />
    </AppShell>
  )
}
