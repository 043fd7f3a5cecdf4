import { setTimeout as delay } from 'node:timers/promises'
import type { MediaFile, Zoetrope } from '@zoetrope/sdk'

const firstPollMs = 250
/** Of ten files that are waited for at once, no key's limit of reads in a minute is used up. */
const longestPollMs = 3_000

/** Until all processing is over; throws when it ended with errors. */
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
