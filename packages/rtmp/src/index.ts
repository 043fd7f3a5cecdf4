export type { RtmpAddress } from './client/client-connection.ts'
export { createRtmpServer } from './server/create-rtmp-server.ts'
export type { RtmpServer, RtmpServerOptions } from './server/create-rtmp-server.ts'
export type { Amf0Object, Amf0Value } from './amf0/amf0-value.ts'
export type {
  AudioCodec,
  AudioConfiguration,
  AudioFrame,
  MediaMessage,
  PublishWarning,
  VideoCodec,
  VideoConfiguration,
  VideoFrame,
} from './messages/media-message.ts'
export { playFrom, type RtmpPlay } from './client/play-client.ts'
export { publishTo, type RtmpPush } from './client/publish-client.ts'
export type {
  Authorization,
  PublishEnd,
  PublishEndCode,
  Publisher,
  PublishRequest,
  PublishSession,
} from './server/publish-session.ts'
export { RtmpError } from './wire/rtmp-error.ts'
export type { RtmpLimits, RtmpTimeouts, StartTimer } from './wire/settings.ts'
