import type { Log } from '../../../../platform/log/log.ts'
import { createThrottle } from '../../../../platform/base/throttle.ts'
import { emitLive } from '../../../control/api/live-events.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import { lockStreamOfNode } from '../../../control/store/live-stream-store.ts'
import type { StoreOptions } from '../../cluster/broadcast-store.ts'
import type { Claimant } from '../../cluster/claim-stream.ts'
import type { OwnedStream } from '../../cluster/owned-stream.ts'

const sentences = {
  disabled: 'This live stream is disabled.',
  wrong_kind: 'This live stream does not accept RTMP. Change its StreamInType to rtmp.',
  second_publisher: 'Another publisher is already sending to this live stream.',
  changed: 'The settings of this live stream have just changed. Connect again.',
  node_full: 'This server accepts no further live streams at the moment.',
} as const

type RefusalCode = keyof typeof sentences

export type Refuse = (
  stream: OwnedStream,
  code: RefusalCode,
  claimant: Claimant,
) => { readonly refuse: string }

/** A refused encoder retries every few seconds. */
const logEveryMs = 60_000
const codes = Object.keys(sentences) as RefusalCode[]

/** Reports each reason to log and events at most once a minute. */
export const createRefusals = (options: StoreOptions & { readonly log: Log }): Refuse => {
  const { database, publicUrl, log } = options
  const mayLog = createThrottle(logEveryMs)

  const record = async (
    stream: OwnedStream,
    code: RefusalCode,
    { remoteAddress }: Claimant,
  ): Promise<void> => {
    const failure = { code, message: `A publisher from ${remoteAddress} was refused: ${sentences[code]}` }
    await database.transaction(async (tx) => {
      const locked = await lockStreamOfNode(tx, {
        accountId: stream.account_id,
        projectId: stream.project_id,
      })
      // A running broadcast has not failed when another publisher is refused.
      const isGoingOn = code === 'second_publisher' || locked.state !== 'offline'
      await emitLive(tx, publicUrl, locked, isGoingOn ? 'live.publisher_refused' : 'live.failed', { failure })
      await writeLog(tx, locked, { level: 'error', ...failure })
    })
  }

  return (stream, code, claimant) => {
    if (mayLog(stream.project_id * codes.length + codes.indexOf(code)))
      record(stream, code, claimant).catch((error: unknown) =>
        log.warn({ err: error, projectId: stream.project_id }, 'cannot log the refusal of a publisher'),
      )
    return { refuse: sentences[code] }
  }
}
