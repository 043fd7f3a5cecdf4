import { defaultPackaging, LivePackager, LivePlaylists, type PackagerResume } from '@zoetrope/ll-hls'
import type { Services } from '../../../../../app/roles/services.ts'
import type { LiveChannel } from '../../../channel/live-channel.ts'
import { openRecordings, type RecordingsOptions } from '../recordings.ts'

export interface Broadcast {
  readonly accountId: number
  readonly projectId: number
  readonly broadcastId: number
}

export const insertBroadcast = async (
  { database }: Pick<Services, 'database'>,
  stream: { readonly account_id: number; readonly project_id: number },
): Promise<Broadcast> => {
  const { account_id, project_id } = stream
  const { id } = await database.kysely
    .insertInto('live_broadcasts')
    .values({
      account_id,
      project_id,
      online_at: new Date(),
      disconnected_at: null,
      ended_at: null,
      end_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.kysely
    .updateTable('live_streams')
    .set({ broadcast_id: id, state: 'online' })
    .where('project_id', '=', project_id)
    .execute()
  return { accountId: account_id, projectId: project_id, broadcastId: id }
}

export const recordBroadcast = async (
  services: Pick<Services, 'database' | 'blobs' | 'jobs' | 'log' | 'config'>,
  { broadcastId, ...stream }: Broadcast,
  options: Pick<RecordingsOptions, 'folder' | 'nodeId'> &
    Partial<RecordingsOptions> & {
      readonly epoch?: number
      /** State of the packager of the former owner. */
      readonly resume?: PackagerResume
    },
) => {
  const { epoch = 0, resume } = options
  const recordings = await openRecordings({
    ...services,
    publicUrl: services.config.publicUrl,
    maxHours: 12,
    storage: 'disk',
    mayWrite: () => true,
    isRunningHere: async () => false,
    lookEveryMs: 50,
    ...options,
  })
  const warnings: string[] = []
  /** Codes of the warnings that last. */
  const lasting = new Set<string>()
  const recorder = recordings.createRecorder({
    stream,
    broadcastId,
    epoch,
    left: await recordings.claimLeft({ ...stream, broadcastId, epoch }),
    warnings: {
      raise: (code) => {
        warnings.push(code)
        lasting.add(code)
      },
      clear: (code) => void lasting.delete(code),
    },
  })
  const packager = new LivePackager({
    ...defaultPackaging,
    now: Date.now,
    sink: recorder.sink!,
    ...(resume && { resume }),
  })
  const channel: LiveChannel = {
    ...stream,
    playoutId: '',
    epoch,
    packager,
    playlists: new LivePlaylists(packager),
    onChange: () => () => {},
  }
  recorder.start()
  return { recordings, recorder, packager, channel, warnings, lasting }
}
