import { Notifications } from '@mantine/notifications'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { clearRequests } from './requests/api-requests.ts'
import { Layout } from './layout.tsx'
import { NotFoundScreen } from './not-found-screen.tsx'
import { lazyScreen, ScreenError } from './screen-error.tsx'
import { SessionGate } from './sign-in/session-gate.tsx'

const rootRoute = createRootRoute({
  // Notifications are inside the router, so that they may contain links.
  component: () => (
    <>
      <Notifications />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFoundScreen,
})

const acceptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'accept',
  component: lazyScreen(() => import('./sign-in/accept-screen.tsx'), 'AcceptScreen'),
})

const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'signin',
  component: lazyScreen(() => import('./sign-in/sign-in-link-screen.tsx'), 'SignInLinkScreen'),
})

const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  component: () => (
    <SessionGate>
      <Layout />
    </SessionGate>
  ),
})

const parseProjectId = ({ projectId }: { projectId: string }) => ({ projectId: Number(projectId) })

const projectRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: 'projects/$projectId',
  parseParams: parseProjectId,
})

/** Query of a screen: filters, page, sort. Values are text, and each screen reads those that it knows. */
const textSearch = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== '' && value != null)
      .map(([name, value]) => [name, String(value)]),
  )

const routeTree = rootRoute.addChildren([
  acceptRoute,
  signInLinkRoute,
  insideRoute.addChildren([
    createRoute({
      getParentRoute: () => insideRoute,
      path: '/',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../start/start-screen.tsx'), 'StartScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'projects',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../projects/projects-screen.tsx'), 'ProjectsScreen'),
    }),
    projectRoute.addChildren([
      createRoute({
        getParentRoute: () => projectRoute,
        path: '/',
        beforeLoad: ({ params }) => {
          throw redirect({ to: '/projects/$projectId/files', params })
        },
      }),
      createRoute({
        getParentRoute: () => projectRoute,
        path: 'files',
        validateSearch: textSearch,
        component: lazyScreen(() => import('../library/library-screen.tsx'), 'LibraryScreen'),
      }),
      createRoute({
        getParentRoute: () => projectRoute,
        path: 'files/$fileId',
        parseParams: ({ fileId }) => ({ fileId: Number(fileId) }),
        validateSearch: textSearch,
        component: lazyScreen(() => import('../file/file-screen.tsx'), 'FileScreen'),
      }),
      createRoute({
        getParentRoute: () => projectRoute,
        path: 'live',
        validateSearch: textSearch,
        component: lazyScreen(() => import('../live/live-screen.tsx'), 'LiveScreen'),
      }),
      createRoute({
        getParentRoute: () => projectRoute,
        path: 'settings',
        component: lazyScreen(
          () => import('../projects/project-settings-screen.tsx'),
          'ProjectSettingsScreen',
        ),
      }),
    ]),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'design',
      component: lazyScreen(() => import('../design/design-screen.tsx'), 'DesignScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'playlists',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../playlists/playlists-screen.tsx'), 'PlaylistsScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'playlists/$playlistId',
      parseParams: ({ playlistId }) => ({ playlistId: Number(playlistId) }),
      component: lazyScreen(() => import('../playlists/playlist-screen.tsx'), 'PlaylistScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'catalog',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../catalog/catalog-screen.tsx'), 'CatalogScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'notifications',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../notifications/notifications-screen.tsx'), 'NotificationsScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'notifications/$webhookId',
      parseParams: ({ webhookId }) => ({ webhookId: Number(webhookId) }),
      validateSearch: textSearch,
      component: lazyScreen(() => import('../notifications/webhook/webhook-screen.tsx'), 'WebhookScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'analytics',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../analytics/analytics-screen.tsx'), 'AnalyticsScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'users',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../account/users/users-screen.tsx'), 'UsersScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'api-keys',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../account/keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'profile',
      component: lazyScreen(() => import('../account/profile/profile-screen.tsx'), 'ProfileScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'security',
      component: lazyScreen(() => import('../account/security/security-screen.tsx'), 'SecurityScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'partners',
      component: lazyScreen(() => import('../account/partners/partners-screen.tsx'), 'PartnersScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'usage',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../usage/usage-screen.tsx'), 'UsageScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'queue',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../usage/queue-screen.tsx'), 'QueueScreen'),
    }),
    createRoute({
      getParentRoute: () => insideRoute,
      path: 'audit',
      validateSearch: textSearch,
      component: lazyScreen(() => import('../account/audit/audit-screen.tsx'), 'AuditScreen'),
    }),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  // Back returns to where the list was.
  scrollRestoration: true,
  // Keeps values as text: `?page=2` instead of `?page="2"`.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) clearRequests()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
