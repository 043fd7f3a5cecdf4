import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './ui/tokens.css'
import './ui/styles/mantine.css'
import './shell/shell.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './shell/query.ts'
import { router } from './shell/routes.tsx'
import { sessionQuery } from './shell/session-query.ts'
import { tabStorage } from './shell/storage.ts'
import { startTexts } from './shell/texts.ts'
import { cssVariables, theme } from './shell/theme.ts'

const reloadedKey = 'zoetrope-reloaded-at'
const reloadPauseMs = 60_000
/** After this time, the page says what it waits for. */
const longestFrameMs = 1_000

/**
 * After an upgrade, the chunks of an open tab no longer exist, so the page reloads. If a reload does not help, the
 * error is shown instead of a reload loop. If the server is not reachable, a reload would lose the page.
 */
const reloadAfterUpgrade = async (): Promise<void> => {
  if (Date.now() - Number(tabStorage.read(reloadedKey)) < reloadPauseMs) return
  const isReachable = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  // Where the browser blocks storage, nothing would end the loop.
  if (isReachable && tabStorage.write(reloadedKey, String(Date.now()))) location.reload()
}
addEventListener('vite:preloadError', () => void reloadAfterUpgrade())

// Apart from the first load, which does not need it.
void import('./ui/hooks/watch-focus.ts')

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no #root')
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The library that blocks scrolling behind a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// A top-level await would keep the bundler from sharing chunks with this one.
const start = async (): Promise<void> => {
  // Load everything in parallel. Meanwhile, the page shows the frame of index.html. Without a frame there is no session,
  // and a link that signs in must not find the session of another user.
  const hasSession =
    root.querySelector('.first-frame') !== null && !/\/(signin|accept)$/.test(location.pathname)
  const first = Promise.allSettled([router.load(), hasSession && queryClient.prefetchQuery(sessionQuery)])
  await startTexts()
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, longestFrameMs))])
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
