import type { Amf0Value } from './amf0-value.ts'
import { messageTypes } from './message.ts'
import { writeAmf0 } from './write-amf0.ts'
import type { OutgoingMessage } from './write-message.ts'

export const command = (streamId: number, ...values: Amf0Value[]): OutgoingMessage => ({
  chunkStreamId: streamId === 0 ? 3 : 5,
  type: messageTypes.commandAmf0,
  streamId,
  payload: writeAmf0(...values),
})
