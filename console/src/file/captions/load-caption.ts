import type { MediaFile } from '@zoetrope/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { ownUrl } from '../../ui/embed/own-url.ts'
import { playoutQuery } from '../file-query.ts'
import type { OpenCaption } from './caption-values.ts'

/** Loads captions with their text. Those of drafts are only readable through the signed links of a preview. */
export const loadCaption = async (
  queryClient: QueryClient,
  file: MediaFile,
  captionId: number,
): Promise<OpenCaption> => {
  // The record first: its ETag is then never newer than the text.
  const record = await zoetrope.captions.get(file.ProjectId, file.Id, captionId)
  // New text has a new URL.
  const playout = await queryClient.fetchQuery({ ...playoutQuery(file), staleTime: 0 })
  const { URI = '' } = playout?.Preview.Captions.find(({ Id }) => Id === captionId) ?? {}
  const answer = await fetch(ownUrl(URI))
  if (!answer.ok) throw new Error(answer.statusText)
  return { record, text: await answer.text() }
}
