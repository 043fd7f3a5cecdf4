import { Type } from 'typebox'
import { nullable } from '../../../../platform/http/requests/schemas.ts'

/** Properties as stored in `media_files.properties`; null when the source has no such track. */
export interface FileProperties {
  /** Seconds. */
  readonly Length: number | null
  /** Bytes. */
  readonly Size: number
  readonly VideoFormat: string | null
  readonly VideoBitRate: number | null
  readonly VideoWidth: number | null
  readonly VideoHeight: number | null
  readonly VideoFPS: number | null
  readonly AudioFormat: string | null
  readonly AudioBitRate: number | null
  readonly AudioSampleRate: number | null
  readonly AudioChannels: number | null
}

export const propertyOrder = [
  'Length',
  'Size',
  'VideoFormat',
  'VideoBitRate',
  'VideoWidth',
  'VideoHeight',
  'VideoFPS',
  'AudioFormat',
  'AudioBitRate',
  'AudioSampleRate',
  'AudioChannels',
] as const satisfies (keyof FileProperties)[]

export const propertiesSchema = nullable(
  Type.Object({
    Length: nullable(Type.Number(), 'Duration in seconds. Null if unknown.'),
    Size: Type.Integer({ description: 'Size in bytes.' }),
    VideoFormat: nullable(Type.String(), 'Video codec of the source. Null without video.'),
    VideoBitRate: nullable(Type.Integer(), 'Video bit rate in bits per second. Null if unknown.'),
    VideoWidth: nullable(Type.Integer(), 'Width in pixels. Null without video.'),
    VideoHeight: nullable(Type.Integer(), 'Height in pixels. Null without video.'),
    VideoFPS: nullable(Type.Number(), 'Frames per second. Null without video.'),
    AudioFormat: nullable(Type.String(), 'Audio codec of the source. Null without sound.'),
    AudioBitRate: nullable(Type.Integer(), 'Audio bit rate in bits per second. Null if unknown.'),
    AudioSampleRate: nullable(Type.Integer(), 'Sample rate in hertz. Null without sound.'),
    AudioChannels: nullable(Type.Integer(), 'Number of audio channels. Null without sound.'),
  }),
  'Technical properties of the source. Null until it has been inspected.',
)
