import { latestRevision } from '../../../library/files/change/file-revisions.ts'
import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import type { FileProperties } from '../../../library/files/record/parts/file-properties.ts'
import { renditionsOf } from '../../../library/files/record/media-file-store.ts'
import { renditionEndSeconds } from '../../../library/files/media/rendition-length.ts'
import type { EncodingDependencies } from '../encode/encode-renditions.ts'
import { lockWanted, markUploaded } from '../encode/file-progress.ts'

/** Encoders pad their last frame, so small differences are ignored. */
const toleratedSeconds = 0.1

/** Sets the length in the record to the decoded duration: containers may claim a false one or none. */
export const settleLength = ({ database, publicUrl }: EncodingDependencies, job: FileJob): Promise<void> =>
  database.transaction(async (tx) => {
    const file = await lockWanted(tx, job)
    const properties = (file.rework?.properties ?? file.properties) as FileProperties | null
    if (properties === null) return
    const renditions = await renditionsOf(tx, job.fileId, latestRevision(file))
    const complete = renditions.filter(({ state }) => state === 'complete')
    const length = Math.max(0, ...complete.map(renditionEndSeconds))
    if (length === 0 || Math.abs(length - (properties.Length ?? 0)) <= toleratedSeconds) return
    await markUploaded(tx, publicUrl, job, { ...properties, Length: Math.round(length * 1000) / 1000 })
  })
