/** An EXT-X-STREAM-INF entry (RFC 8216bis 4.4.6.2). */
export interface Variant {
  uri: string
  /**
   * Peak segment bit rate of the variant plus the largest rendition of each of its groups. Must be an
   * integer.
   */
  bandwidthBitsPerSecond: number
  averageBandwidthBitsPerSecond?: number
  /** RFC 6381 names of every codec in the variant and its renditions, e.g. `avc1.64001f`. */
  codecs: readonly string[]
  resolution?: { widthPixels: number; heightPixels: number }
  /** Frames per second, written with three decimals. */
  frameRate?: number
  videoRange?: 'SDR' | 'PQ' | 'HLG'
  audioGroupId?: string
  subtitlesGroupId?: string
  /** True writes `CLOSED-CAPTIONS=NONE`; RFC 8216bis 4.4.6.2: then for all variants. */
  hasNoClosedCaptions?: boolean
}

/**
 * An EXT-X-I-FRAME-STREAM-INF entry (RFC 8216bis 4.4.6.3): an I-frame playlist for scrubbing and trick play.
 */
export interface IFrameVariant extends Pick<
  Variant,
  'uri' | 'bandwidthBitsPerSecond' | 'averageBandwidthBitsPerSecond' | 'codecs' | 'resolution' | 'videoRange'
> {}

/** An EXT-X-MEDIA entry (RFC 8216bis 4.4.6.1). */
export interface Rendition {
  type: 'AUDIO' | 'SUBTITLES'
  groupId: string
  /** Display name in the player's menu; unique within the group. */
  name: string
  language?: string
  isDefault: boolean
  isAutoselect: boolean
  channels?: number
  /** Uniform Type Identifiers, such as `public.accessibility.transcribes-spoken-dialog`. */
  characteristics?: readonly string[]
  /** Omitted for audio that is muxed into the variants. */
  uri?: string
}

export interface MultivariantPlaylist {
  variants: readonly Variant[]
  iFrameVariants?: readonly IFrameVariant[]
  renditions: readonly Rendition[]
  /** Every segment of every media playlist starts with a key frame. */
  independentSegments: boolean
}
