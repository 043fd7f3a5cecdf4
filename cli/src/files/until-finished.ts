import { setTimeout as delay } from 'node:timers/promises'
import type { MediaFile, Zoetrope } from '@zoetrope/sdk'

const firstPollMs = 250
/** Ten files polled at once stay within the read limit of a key per minute. */
const longestPollMs = 3_000

/** Resolves when all processing has finished. Throws when it ended with errors. */
export const untilFinished = async (
  client: Zoetrope,
  projectId: number,
  fileId: number,
  onChange: (file: MediaFile) => void,
): Promise<MediaFile> => {
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.3, longestPollMs)) {
    const file = await client.files.get(projectId, fileId)
    if (file.IsFinished) {
      if (file.HasErrors) throw new Error(`File ${file.Id} failed: ${file.ErrorMessage}`)
      return file
    }
    onChange(file)
    await delay(pollMs)
  }
}
