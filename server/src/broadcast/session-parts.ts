import type { Database } from '../kernel/db/database.ts'
import type { Log } from '../kernel/log.ts'
import { createAllowedAddresses } from '../kernel/outbound/allowed-addresses.ts'
import { createGuardedDialler } from '../kernel/outbound/guarded-dialler.ts'
import { createOutboundPolicy, type OutboundOptions } from '../kernel/outbound/outbound-policy.ts'
import { createNameResolver } from '../kernel/outbound/resolve-name.ts'
import type { Secrets } from '../kernel/secrets.ts'
import { rungOverrides, type RungSetting } from '../projects/encoder-settings.ts'
import { createDvr } from './dvr/create-dvr.ts'
import type { DvrDisk } from './dvr/dvr-disk.ts'
import { createLadder } from './ladder/create-ladder.ts'
import type { LadderSlots } from './ladder/ladder-slots.ts'
import type { LiveSessionOptions } from './live-session.ts'
import type { LiveSessionsOptions } from './live-sessions.ts'
import type { Posters } from './poster/create-posters.ts'
import type { Recordings } from './recording/recordings.ts'
import { createSimulcast } from './simulcast/create-simulcast.ts'

export interface SessionPartsOptions {
  readonly database: Database
  readonly secrets: Secrets
  readonly outbound: OutboundOptions
  readonly log: Log
  readonly now: () => number
  readonly dvrDisk: DvrDisk
  readonly recordings: Recordings
  readonly posters: Posters
  readonly workFolder: string
  readonly slots: LadderSlots
}

export const createSessionParts = (
  options: SessionPartsOptions,
): Pick<LiveSessionsOptions, 'createDvr'> & Pick<LiveSessionOptions, 'createParts'> => {
  const { database, secrets, log, now, slots, workFolder } = options
  const policy = createOutboundPolicy(options.outbound)
  const dial = createGuardedDialler(createAllowedAddresses(policy, createNameResolver()))
  return {
    createDvr: ({ stream, broadcast }, warnings) =>
      createDvr({
        disk: options.dvrDisk,
        broadcastId: broadcast.id,
        onlineAtMs: broadcast.online_at?.getTime() ?? null,
        leftAtMs: broadcast.disconnected_at?.getTime() ?? null,
        windowSeconds: stream.timeshift_seconds,
        now,
        onWarning: warnings.tell,
      }),
    createParts: ({ stream, broadcastId, channel, warnings }) => {
      const owner = { accountId: stream.account_id, projectId: stream.project_id }
      const recorder = options.recordings.createRecorder({ stream: owner, broadcastId, warnings })
      const simulcast = createSimulcast({ stream, database, secrets, dial, log })
      const rungs = rungOverrides(stream.renditions as readonly RungSetting[])
      const { packager } = channel
      const ladder = stream.is_transcoded
        ? [createLadder({ packager, rungs, slots, warnings, workFolder, now })]
        : []
      return {
        recorder,
        feeders: ladder,
        parts: [simulcast, options.posters.createPart(channel)],
        sync: simulcast.sync,
      }
    },
  }
}
