import { integer, oneOf, setting } from './setting.ts'

const MiB = 1_048_576

export const decodingSettings = {
  sandbox: setting(
    'ZOETROPE_SANDBOX',
    'auto',
    oneOf(['auto', 'required', 'off'] as const),
    'How ffmpeg is confined. auto: the strongest way that works on this machine; required: start only with bubblewrap; off: only limits of time and memory (docs/operations.md).',
  ),
  thumbnailDecoders: setting(
    'ZOETROPE_THUMBNAIL_DECODERS',
    '2',
    integer(0, 64),
    'Largest number of thumbnails and animations that an api process creates at a time. Further requests wait two seconds and then get 429. 0 = disabled: requests get 503.',
  ),
  mediaMemoryBytes: setting(
    'ZOETROPE_MEDIA_MEMORY_BYTES',
    String(64 * MiB),
    integer(0, Number.MAX_SAFE_INTEGER),
    'Size of the segment cache in the memory of each api process, in bytes. 0 = disabled.',
  ),
} as const

export const encoderSettings = {
  encoderConcurrency: setting(
    'ZOETROPE_ENCODER_CONCURRENCY',
    '1',
    integer(0, 64),
    'Number of ladders that one worker encodes at a time. Each uses all cores; the chunks of one ladder share them. 0 = remote workers encode them; local workers encode only what remote workers cannot.',
  ),
  onDemandEncoders: setting(
    'ZOETROPE_ONDEMAND_ENCODERS',
    '2',
    integer(0, 64),
    'Number of segments that one worker encodes at a time because viewers request them (LadderMode on-demand). 0 = none.',
  ),
  onDemandMinutesPerDay: setting(
    'ZOETROPE_ONDEMAND_MINUTES_PER_DAY',
    '3000',
    integer(0, 10_000_000),
    'Minutes of renditions that Zoetrope encodes on demand for the viewers of one project in a day (UTC). Above it, viewers get the source and the segments that are already encoded. 0 = no limit.',
  ),
  ladderKeepDays: setting(
    'ZOETROPE_LADDER_KEEP_DAYS',
    '30',
    integer(0, 36_500),
    'Days without a viewer after which a rendition that is encoded on demand (LadderMode on-demand or auto) loses its segments. They are encoded again when a viewer requests them. 0 = never.',
  ),
} as const
