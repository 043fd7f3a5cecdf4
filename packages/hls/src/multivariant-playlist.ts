/** An EXT-X-STREAM-INF entry (4.4.6.2). */
export interface Variant {
  uri: string
  /** The peak segment bit rate of the variant with the largest rendition of each of its groups; a whole number. */
  bandwidthBitsPerSecond: number
  averageBandwidthBitsPerSecond?: number
  /** RFC 6381 names of every codec that the variant and its renditions may use, e.g. `avc1.64001f`. */
  codecs: readonly string[]
  resolution?: { widthPixels: number; heightPixels: number }
  /** Frames per second; written with three decimals. */
  frameRate?: number
  videoRange?: 'SDR' | 'PQ' | 'HLG'
  audioGroupId?: string
  subtitlesGroupId?: string
}

/** An EXT-X-I-FRAME-STREAM-INF entry (4.4.6.3): a playlist of the I-frames of a variant, for scrubbing and fast play. */
export interface IFrameVariant extends Pick<
  Variant,
  'uri' | 'bandwidthBitsPerSecond' | 'averageBandwidthBitsPerSecond' | 'codecs' | 'resolution' | 'videoRange'
> {}

/** An EXT-X-MEDIA entry (4.4.6.1). */
export interface Rendition {
  type: 'AUDIO' | 'SUBTITLES'
  groupId: string
  /** What people read in a menu; unique in its group. */
  name: string
  /** BCP 47. */
  language?: string
  isDefault: boolean
  isAutoselect: boolean
  channels?: number
  /** Uniform Type Identifiers, such as `public.accessibility.transcribes-spoken-dialog`. */
  characteristics?: readonly string[]
  /** Left out for audio that is muxed into the variants. */
  uri?: string
}

export interface MultivariantPlaylist {
  variants: readonly Variant[]
  iFrameVariants?: readonly IFrameVariant[]
  renditions: readonly Rendition[]
  /** Every segment of every media playlist starts with a key frame. */
  independentSegments: boolean
}
