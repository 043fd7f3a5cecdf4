export type { RtmpAddress } from './client-connection.ts'
export { createRtmpServer } from './create-rtmp-server.ts'
export type { RtmpServer, RtmpServerOptions } from './create-rtmp-server.ts'
export type { Amf0Object, Amf0Value } from './amf0-value.ts'
export type {
  AudioCodec,
  AudioConfiguration,
  AudioFrame,
  MediaMessage,
  PublishWarning,
  VideoCodec,
  VideoConfiguration,
  VideoFrame,
} from './media-message.ts'
export { playFrom, type RtmpPlay } from './play-client.ts'
export { publishTo, type RtmpPush } from './publish-client.ts'
export type {
  Authorization,
  PublishEnd,
  PublishEndCode,
  Publisher,
  PublishRequest,
  PublishSession,
} from './publish-session.ts'
export { RtmpError } from './rtmp-error.ts'
export type { RtmpLimits, RtmpTimeouts, StartTimer } from './settings.ts'
