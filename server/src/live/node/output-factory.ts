import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { createAllowedAddresses } from '../../platform/outbound/allowed-addresses.ts'
import { createGuardedDialler } from '../../platform/outbound/guarded-dialler.ts'
import { createOutboundPolicy, type OutboundOptions } from '../../platform/outbound/outbound-policy.ts'
import { createNameResolver } from '../../platform/outbound/resolve-name.ts'
import type { Secrets } from '../../platform/base/secrets.ts'
import { rungOverrides, type RungSetting } from '../../library/projects/settings/encoder-settings.ts'
import { countStoredWindow, markStoredWindow, storedWindowPrefix } from '../control/store/stored-windows.ts'
import { createDvr } from './outputs/dvr/create-dvr.ts'
import type { DatabaseJournals } from './outputs/dvr/database-journals.ts'
import type { DvrDisk } from './outputs/dvr/dvr-disk.ts'
import { createLadder } from './outputs/ladder/create-ladder.ts'
import type { LadderSlots } from './outputs/ladder/ladder-slots.ts'
import type { BroadcastOptions } from './broadcast/broadcast.ts'
import type { BroadcastsOptions } from './broadcast/broadcasts.ts'
import type { Posters } from './outputs/poster/create-posters.ts'
import type { Recordings } from './outputs/recording/recordings.ts'
import { createSimulcast } from './outputs/simulcast/create-simulcast.ts'

export interface OutputFactoryOptions {
  readonly database: Database
  readonly secrets: Secrets
  readonly outbound: OutboundOptions
  readonly log: Log
  readonly now: () => number
  readonly dvrDisk: DvrDisk
  readonly journals: DatabaseJournals
  readonly blobs: BlobStore
  /** Where the segments of DVR windows are stored. */
  readonly dvrStorage: 'disk' | 'media'
  /** False when another node may have taken over the streams of this one long ago. */
  readonly mayWriteMedia: () => boolean
  readonly recordings: Recordings
  readonly posters: Posters
  readonly slots: LadderSlots
}

export const createOutputFactory = (
  options: OutputFactoryOptions,
): Pick<BroadcastsOptions, 'prepare'> & Pick<BroadcastOptions, 'createOutputs'> => {
  const { database, secrets, log, now, slots } = options
  const policy = createOutboundPolicy(options.outbound)
  const dial = createGuardedDialler(createAllowedAddresses(policy, createNameResolver()))
  return {
    prepare: async ({ stream, broadcast }, warnings) => {
      const isInMedia = options.dvrStorage === 'media' && stream.timeshift_seconds > 0
      // Before the first blob, so that housekeeping deletes it.
      if (isInMedia) await markStoredWindow(database, broadcast)
      const dvr = await createDvr({
        disk: options.dvrDisk,
        media: {
          blobs: options.blobs,
          prefix: `${storedWindowPrefix(broadcast.id)}e${stream.epoch}/`,
          isUsed: isInMedia,
          mayWrite: options.mayWriteMedia,
        },
        journal: options.journals.open({ broadcastId: broadcast.id, epoch: stream.epoch }),
        broadcastId: broadcast.id,
        epoch: stream.epoch,
        onlineAtMs: broadcast.online_at?.getTime() ?? null,
        leftAtMs: broadcast.disconnected_at?.getTime() ?? null,
        lostUntilMs: broadcast.lost_until?.getTime() ?? null,
        isTimeshift: stream.timeshift_seconds > 0,
        now,
        onWarning: warnings.report,
        onMediaBytes: (sizeBytes) => {
          countStoredWindow(database, { id: broadcast.id, sizeBytes }).catch((error: unknown) =>
            log.warn({ err: error, broadcastId: broadcast.id }, 'cannot store the size of a DVR window'),
          )
        },
      })
      const owner = { accountId: stream.account_id, projectId: stream.project_id }
      const left =
        broadcast.online_at === null
          ? null
          : await options.recordings.claimLeft({ ...owner, broadcastId: broadcast.id, epoch: stream.epoch })
      return { dvr, left }
    },
    createOutputs: ({ stream, broadcastId, channel, warnings, left }) => {
      const owner = { accountId: stream.account_id, projectId: stream.project_id }
      const recorder = options.recordings.createRecorder({
        stream: owner,
        broadcastId,
        epoch: stream.epoch,
        warnings,
        left,
      })
      const simulcast = createSimulcast({ stream, broadcastId, database, secrets, dial, log })
      const rungs = rungOverrides(stream.renditions as readonly RungSetting[])
      const { packager } = channel
      const ladder = stream.is_transcoded ? [createLadder({ packager, rungs, slots, warnings, now })] : []
      return {
        recorder,
        transcoders: ladder,
        others: [simulcast, options.posters.createOutput(channel)],
        sync: simulcast.sync,
      }
    },
  }
}
