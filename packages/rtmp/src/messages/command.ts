import type { Amf0Value } from '../amf0/amf0-value.ts'
import { messageTypes, type Message } from '../wire/message.ts'
import { readAmf0 } from '../amf0/read-amf0.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

/** A command (RTMP 1.0, 7.2): name, transaction id, which the answer repeats, and arguments. */
export interface Command {
  readonly name: string
  readonly transactionId: number
  readonly streamId: number
  /** Values after the transaction id: the command object, then the arguments. */
  readonly arguments: readonly Amf0Value[]
}

export const readCommand = (message: Message): Command => {
  const [name, transactionId, ...rest] = readAmf0(amf0Payload(message))
  if (typeof name !== 'string') throw new RtmpError('malformed', 'A command has no name.')
  return {
    name,
    transactionId: typeof transactionId === 'number' ? transactionId : 0,
    streamId: message.streamId,
    arguments: rest,
  }
}

/** Messages of AMF3 types start with a zero byte. All known publishers then send AMF0. */
export const amf0Payload = ({ type, payload }: Message): Buffer =>
  type === messageTypes.commandAmf3 || type === messageTypes.dataAmf3 ? payload.subarray(1) : payload
