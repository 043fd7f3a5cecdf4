import type { Amf0Value } from './amf0-value.ts'
import { messageTypes, type Message } from './message.ts'
import { readAmf0 } from './read-amf0.ts'
import { RtmpError } from './rtmp-error.ts'

/** RTMP 1.0, 7.2: a call, the number that its answer repeats, and what it is about. */
export interface Command {
  readonly name: string
  readonly transactionId: number
  readonly streamId: number
  /** Behind the transaction: the command object, then the arguments. */
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

/** Messages of the AMF3 types open with a zero; what follows is AMF0 with everybody who publishes. */
export const amf0Payload = ({ type, payload }: Message): Buffer =>
  type === messageTypes.commandAmf3 || type === messageTypes.dataAmf3 ? payload.subarray(1) : payload
