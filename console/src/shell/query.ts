import { ApiError } from '@zoetrope/sdk'
import { QueryClient } from '@tanstack/react-query'

/** The names under which answers are kept, so that an event can make the right ones stale. */
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
  partners: ['partners'],
  audit: ['audit'],
  usage: ['usage'],
} as const

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events tell of changes; this is for what they do not tell of.
      staleTime: 30_000,
      // The SDK has tried again already; what the server refused it refuses again.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 20,
      retryDelay: 3_000,
    },
    mutations: { retry: false },
  },
})
