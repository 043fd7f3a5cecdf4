import { AppShell, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { showDialog } from './commands/command-dialog.ts'
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

/** A component of its own, because the path would render the whole frame again. */
const CloseMenu = ({ onClose }: { readonly onClose: () => void }) => {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(onClose, [path, onClose])
  return null
}

export const Layout = () => {
  const t = useTexts('shell.layout')
  const [isOpen, { toggle, close }] = useDisclosure()
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
          <ApiRequestsButton onPress={() => showDialog('api')} />
        </Group>
        <SearchTrigger onPress={() => showDialog('palette')} />
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
      <BottomBar isMenuOpen={isOpen} onMenu={toggle} onSearch={() => showDialog('palette')} />
      <Commands />
      <CloseMenu onClose={close} />
    </AppShell>
  )
}
