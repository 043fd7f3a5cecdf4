/** Message types of RTMP 1.0, 5.4, 6.2 and 7.1 that publishers and this package send. */
export const messageTypes = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const

export interface Message {
  readonly type: number
  /** Milliseconds modulo 2³², as sent. */
  readonly timestamp: number
  /** Message stream id; 0 for the connection itself. */
  readonly streamId: number
  readonly payload: Buffer
}
