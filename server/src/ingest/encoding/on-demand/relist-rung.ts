import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { describeOutputs } from '../chunks/describe-outputs.ts'
import type { PlannedTrack } from '../chunks/chunk-store.ts'
import { isGone } from '../encode/file-progress.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { findOnDemandRendition, type OnDemandRendition } from './on-demand-store.ts'
import type { OnDemandPlan } from './plan/plan-on-demand.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import { replaceRung, type ReplacedRung } from './replace-rung.ts'

/** The encoder makes an init segment that differs from the one that players have. */
export class DecoderSettingsError extends Error {
  constructor() {
    super('the decoder settings differ from those that were listed')
    this.name = 'DecoderSettingsError'
  }
}

/**
 * Replaces a rung with one that has the decoder settings of this encoder. Returns false when the settings are the same, or when
 * the source cannot be encoded.
 */
export const relistRung = async (
  dependencies: FileJobDependencies,
  { plan, rendition, file }: OnDemandRendition,
  signal: AbortSignal,
): Promise<boolean> => {
  const described = await describe(dependencies, plan, signal).catch((error: unknown) => {
    if (signal.aborted || !isFaultOfMedia(error)) throw error
    return null
  })
  if (described === null || described.initSegmentHash === plan.initSegmentHash) return false
  const init = Buffer.from(described.initSegment, 'base64')
  const { account_id: accountId, project_id: projectId, id: fileId } = file
  await replaceRung(
    dependencies,
    { accountId, projectId, fileId },
    {
      init,
      isRelisted: true,
      lock: (tx) => lockListed(tx, rendition.id, { ...described, initSegmentBytes: init.length }),
    },
  ).catch((error: unknown) => {
    if (!isGone(error)) throw error
  })
  return true
}

const describe = (
  { blobs, workFolder: parent }: FileJobDependencies,
  { probe, plan, rung, sourceBlob }: OnDemandPlan,
  signal: AbortSignal,
): Promise<PlannedTrack> =>
  withWorkFolder(parent, 'relist-', async (workFolder) => {
    const [described] = await describeOutputs(
      { probe, plan, rungs: [rung], percent: { from: 0, to: 0 }, isLast: true, claimedSeconds: null },
      (use, ranges) => blobs.withLocalFile(sourceBlob, use, ranges),
      { workFolder, signal },
    )
    if (described === undefined) throw new RangeError('There is no output.')
    return described
  })

/** Returns null when the rung is complete meanwhile, or another worker has replaced it. */
const lockListed = async (
  tx: Tx,
  renditionId: number,
  {
    track,
    initSegmentHash,
    initSegmentBytes,
  }: Pick<PlannedTrack, 'track' | 'initSegmentHash'> & Pick<OnDemandPlan, 'initSegmentBytes'>,
): Promise<ReplacedRung | null> => {
  await sql`select from on_demand_renditions where rendition_id = ${renditionId} for update`.execute(tx)
  const found = await findOnDemandRendition(tx, renditionId)
  if (found === null) return null
  const { rendition, plan } = found
  const { codec, timescale, widthPixels, heightPixels } = track
  return {
    renditionId,
    sizeBytes: rendition.size_bytes,
    hasClosedCaptions: rendition.has_closed_captions,
    plan: { ...plan, timescale, initSegmentHash, initSegmentBytes },
    codec,
    widthPixels: widthPixels ?? 0,
    heightPixels: heightPixels ?? 0,
  }
}
