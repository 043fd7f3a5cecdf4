import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { watermarkFileName, type MediaPlan, type Watermark } from '@zoetrope/ffmpeg'
import type { FileJob } from '../../library/files/queue/file-jobs.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { findWatermark } from '../../library/pictures/watermark/watermark-store.ts'
import type { EncoderSettings } from '../../library/projects/settings/encoder-settings.ts'
import { encoderSettingsOf } from '../../library/projects/project-record.ts'
import { findProject } from '../../library/projects/project-store.ts'

export interface EncodeSettings {
  readonly settings: Required<EncoderSettings>
  readonly watermark: Watermark | null
}

export const readEncodeSettings = async (
  queryable: Queryable,
  { accountId, projectId }: FileJob,
): Promise<EncodeSettings> => {
  const project = await findProject(queryable, accountId, projectId)
  const row = await findWatermark(queryable, projectId)
  return {
    settings: encoderSettingsOf(project),
    watermark:
      row === undefined
        ? null
        : {
            picture: row.picture.toString('base64'),
            position: row.position,
            opacityRatio: row.opacity_percent / 100,
            widthRatio: row.width_percent / 100,
          },
  }
}

/** Writes the watermark of a plan to the work folder before the run starts. */
export const placeWatermark = async (
  { watermark }: Pick<MediaPlan, 'watermark'>,
  workFolder: string,
): Promise<void> => {
  if (watermark !== null)
    await writeFile(join(workFolder, watermarkFileName), Buffer.from(watermark.picture, 'base64'))
}
