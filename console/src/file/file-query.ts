import type { MediaFile } from '@zoetrope/sdk'
import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

/** No event reports the progress of an encode. */
const progressEveryMs = 2_000

export const fileQuery = (projectId: number, fileId: number) =>
  queryOptions({
    queryKey: queryKeys.file(projectId, fileId),
    queryFn: ({ signal }) => zoetrope.files.get(projectId, fileId, { signal }),
    // The client stores the ETag by object identity, so the object must not be copied.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data !== undefined && !state.data.IsFinished && state.data.Status !== 'created'
        ? progressEveryMs
        : false,
  })

/**
 * Finds a deleted file, which answers 404 but appears in lists with deleted files until it is purged. Null =
 * none.
 */
export const deletedFileQuery = (projectId: number, fileId: number) =>
  queryOptions({
    queryKey: [...queryKeys.files(projectId), 'deleted', fileId],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.files.list(
        projectId,
        { ids: String(fileId), includeDeleted: true, limit: 1 },
        { signal },
      )
      return page.Files[0] ?? null
    },
  })

/** Finds a file that has moved to another project since its link was made. Null = none. */
export const movedFileQuery = (fileId: number) =>
  queryOptions({
    queryKey: ['file', 'moved', fileId],
    // It may have moved again.
    staleTime: 0,
    queryFn: async ({ signal, client }) => {
      const page = await zoetrope.files.listAll({ ids: String(fileId), limit: 1 }, { signal })
      const [found = null] = page.Files
      // A screen with unsaved changes stays, because it does not wait for the file in its new project.
      if (found !== null)
        await Promise.all([
          client.prefetchQuery(fileQuery(found.ProjectId, fileId)),
          client.prefetchQuery(projectQuery(found.ProjectId)),
        ])
      return found
    },
  })

export const projectQuery = (projectId: number) =>
  queryOptions({
    queryKey: queryKeys.project(projectId),
    queryFn: ({ signal }) => zoetrope.projects.get(projectId, { signal }),
    // The client stores the ETag by object identity.
    structuralSharing: false,
  })

export const playoutQuery = ({ ProjectId, Id }: Pick<MediaFile, 'ProjectId' | 'Id'>) =>
  queryOptions({
    queryKey: [...queryKeys.file(ProjectId, Id), 'playouts'],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.files.playouts(ProjectId, Id, { signal })
      return page.Playouts.find(({ IsDefault }) => IsDefault) ?? page.Playouts[0] ?? null
    },
  })
