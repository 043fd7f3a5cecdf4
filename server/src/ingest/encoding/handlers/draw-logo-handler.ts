import { Problem } from '../../../platform/base/problem.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logoArguments, logoSize, runFfmpeg } from '@zoetrope/ffmpeg'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import type { LogoJob } from '../../../library/pictures/logo/logo-job.ts'
import { fulfilRequest } from '../../../library/pictures/picture-requests.ts'
import {
  answerPictureRequest,
  pictureLimits,
  type PictureRequestDependencies,
  type PictureRun,
} from '../pictures/answer-picture-request.ts'

/** Re-encodes a logo for the request that waits for it; that request assigns it to the project. */
export const createDrawLogoHandler =
  (dependencies: PictureRequestDependencies) =>
  async (job: LogoJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> => {
    await answerPictureRequest(dependencies, { requestId: job.requestId, signal, attempt }, (run) =>
      drawLogo(dependencies, job, run),
    )
  }

const drawLogo = async (
  { database }: PictureRequestDependencies,
  { requestId, picture }: LogoJob,
  { workFolder, signal }: PictureRun,
): Promise<void> => {
  const { kysely } = database
  const row = await kysely
    .selectFrom('picture_requests')
    .select('sent')
    .where('id', '=', requestId)
    .executeTakeFirst()
  // The request was abandoned or the project deleted.
  if (row?.sent == null) return
  const input = { ...picture, inputPath: join(workFolder, 'sent') }
  const outputPath = join(workFolder, 'drawn')
  await writeFile(input.inputPath, row.sent)
  await runFfmpeg(logoArguments({ ...input, outputPath }), {
    outputPipes: 0,
    workFolder,
    signal,
    limits: pictureLimits,
  }).done
  const drawn = await readFile(outputPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Problem('picture_undecodable')
    throw error
  })
  const { widthPixels, heightPixels } = logoSize(input)
  await fulfilRequest(kysely, requestId, { drawn, width_pixels: widthPixels, height_pixels: heightPixels })
}
