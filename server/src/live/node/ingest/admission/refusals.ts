import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { createThrottle } from '../../../../platform/base/throttle.ts'
import { emitLive } from '../../../control/api/live-events.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import { lockStreamOfNode } from '../../../control/store/live-stream-store.ts'
import type { StoreOptions } from '../../cluster/broadcast-store.ts'
import type { Claimant } from '../../cluster/claim-stream.ts'
import type { OwnedStream } from '../../cluster/owned-stream.ts'

const messages = {
  disabled: newMessage('live_disabled'),
  wrong_kind: newMessage('live_wrong_kind'),
  second_publisher: newMessage('live_second_publisher'),
  changed: newMessage('live_settings_changed'),
  node_full: newMessage('live_node_full'),
  account_full: newMessage('live_account_full'),
} as const

export type RefusalCode = keyof typeof messages

export type Refuse = (
  stream: OwnedStream,
  code: RefusalCode,
  claimant: Claimant,
) => { readonly refuse: string; readonly code: RefusalCode }

/** A refused encoder retries every few seconds. */
const logEveryMs = 60_000
const codes = Object.keys(messages) as RefusalCode[]

/** Reports each reason to log and events at most once a minute. */
export const createRefusals = (options: StoreOptions & { readonly log: Log }): Refuse => {
  const { database, publicUrl, log } = options
  const mayLog = createThrottle(logEveryMs)

  const record = async (
    stream: OwnedStream,
    code: RefusalCode,
    { remoteAddress }: Claimant,
  ): Promise<void> => {
    const refused = newMessage('live_publisher_refused', { address: remoteAddress, cause: messages[code] })
    const failure = liveReason(code, refused)
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
    return { refuse: messages[code].text, code }
  }
}
