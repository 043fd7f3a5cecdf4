import type { Command } from './command.ts'
import { command } from './write-command.ts'
import { setChunkSize, setPeerBandwidth, streamBegin, windowAcknowledgementSize } from './control-messages.ts'
import { audioCodecs, videoCodecs } from './media-message.ts'
import { writtenChunkBytes, type OutgoingMessage } from '../wire/write-message.ts'

/**
 * Maximum number of unacknowledged bytes in each direction. FFmpeg and OBS expect this value from servers.
 */
export const acknowledgementWindowBytes = 2_500_000

/** E-RTMP capsEx: the server reads ModEx packet extensions and supports no other capability. */
const capabilitiesEx = 4

export const connectAnswers = ({ transactionId }: Command): OutgoingMessage[] => [
  windowAcknowledgementSize(acknowledgementWindowBytes),
  setPeerBandwidth(acknowledgementWindowBytes),
  setChunkSize(writtenChunkBytes),
  command(
    0,
    '_result',
    transactionId,
    {
      fmsVer: 'FMS/3,0,1,123',
      capabilities: 31,
      fourCcList: [...videoCodecs, ...audioCodecs],
      capsEx: capabilitiesEx,
    },
    {
      level: 'status',
      code: 'NetConnection.Connect.Success',
      description: 'Connection succeeded.',
      objectEncoding: 0,
    },
  ),
]

export const createStreamAnswer = ({ transactionId }: Command, streamId: number): OutgoingMessage =>
  command(0, '_result', transactionId, null, streamId)

/** Answer without a value, for calls that only need an acknowledgement. */
export const plainAnswer = ({ transactionId }: Command): OutgoingMessage =>
  command(0, '_result', transactionId, null, undefined)

type StatusCode =
  | 'NetStream.Publish.Start'
  | 'NetStream.Publish.BadName'
  | 'NetStream.Publish.Denied'
  | 'NetStream.Publish.Rejected'
  | 'NetStream.Publish.Warning'
  | 'NetStream.Unpublish.Success'

const status =
  (level: 'status' | 'warning' | 'error') => (streamId: number, code: StatusCode, description: string) =>
    command(streamId, 'onStatus', 0, null, { level, code, description })

export const warningStatus = status('warning')
/** Encoders show the description to the user and stop. */
export const errorStatus = status('error')

const plainStatus = status('status')

export const publishStartAnswers = (streamId: number): OutgoingMessage[] => [
  streamBegin(streamId),
  plainStatus(streamId, 'NetStream.Publish.Start', 'Publishing.'),
]

export const unpublishAnswer = (streamId: number): OutgoingMessage =>
  plainStatus(streamId, 'NetStream.Unpublish.Success', 'No longer publishing.')
