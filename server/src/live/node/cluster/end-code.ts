import type { Message } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'

export type EndCode = 'unpublished' | 'stopped' | 'disabled' | 'deleted' | 'not_back'

/** Shown by encoders and in the log of the stream. */
export const endMessages: Readonly<Record<EndCode, Message>> = {
  unpublished: newMessage('live_unpublished'),
  stopped: newMessage('live_stopped'),
  disabled: newMessage('live_was_disabled'),
  deleted: newMessage('live_project_deleted'),
  not_back: newMessage('live_not_back'),
}
