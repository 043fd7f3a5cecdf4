import type { Amf0Value } from '../amf0/amf0-value.ts'
import { messageTypes } from '../wire/message.ts'
import { writeAmf0 } from '../amf0/write-amf0.ts'
import type { OutgoingMessage } from '../wire/write-message.ts'

export const command = (streamId: number, ...values: Amf0Value[]): OutgoingMessage => ({
  chunkStreamId: streamId === 0 ? 3 : 5,
  type: messageTypes.commandAmf0,
  streamId,
  payload: writeAmf0(...values),
})
