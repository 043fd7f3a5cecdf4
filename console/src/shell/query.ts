import { ApiError } from '@zoetrope/sdk'
import { QueryClient } from '@tanstack/react-query'

export const queryKeys = {
  session: ['session'],
  projects: ['projects'],
  project: (projectId: number) => ['projects', projectId],
  files: (projectId: number) => ['files', projectId],
  file: (projectId: number, fileId: number) => ['file', projectId, fileId],
  live: (projectId: number) => ['live', projectId],
  playlists: ['playlists'],
  playlist: (playlistId: number) => ['playlists', playlistId],
  catalog: ['catalog'],
  webhooks: ['webhooks'],
  webhook: (webhookId: number) => ['webhooks', webhookId],
  events: ['events'],
  users: ['users'],
  invitations: ['invitations'],
  apiKeys: ['apiKeys'],
  sessions: ['sessions'],
  factors: ['factors'],
  signInPolicy: ['signInPolicy'],
  partners: ['partners'],
  audit: ['audit'],
  usage: ['usage'],
  analytics: ['analytics'],
  alerts: ['alerts'],
} as const

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events invalidate changed data. This covers changes without an event.
      staleTime: 30_000,
      // The SDK has retried already, and an API error would only repeat.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 20,
      retryDelay: 3_000,
      // Without a connection, a request fails and the screen says so.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // Otherwise it would wait without a word, and run later, even after its screen was left.
    mutations: { retry: false, networkMode: 'always' },
  },
})
