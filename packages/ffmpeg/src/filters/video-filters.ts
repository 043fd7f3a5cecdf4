import type { VideoStream } from '../probe/probe.ts'

export type PictureSize = { widthPixels: number; heightPixels: number }

/** Returns the displayed size, upright and in square pixels. */
export const displaySize = ({ displayWidthPixels, displayHeightPixels }: VideoStream): PictureSize => ({
  widthPixels: displayWidthPixels,
  heightPixels: displayHeightPixels,
})

/** Outputs one frame per frame; progressive frames of a mixed source pass unchanged. */
export const deinterlaceFilters = (video: VideoStream): string[] =>
  video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []

/**
 * Scales to the exact size, so that all rungs agree even when the source changes its size midway. ffmpeg has
 * already rotated the video.
 */
export const scaleFilters = ({ widthPixels, heightPixels }: PictureSize): string[] => [
  `scale=${widthPixels}:${heightPixels}:out_range=tv`,
  'setsar=1',
]

/**
 * Converts HDR10 and HLG to BT.709, once and after scaling, because it needs floating point. Files without
 * tagged primaries are BT.2020 in practice, and zscale cannot convert from unknown primaries.
 */
export const toneMapFilters = (video: VideoStream): string[] =>
  video.isHdr
    ? [
        `setparams=color_primaries=bt2020:color_trc=${video.colorTransfer}:colorspace=bt2020nc`,
        'zscale=transfer=linear:npl=100',
        'format=gbrpf32le',
        'zscale=primaries=bt709',
        'tonemap=mobius:desat=0',
        'zscale=transfer=bt709:matrix=bt709:range=limited',
        'format=yuv420p',
      ]
    : ['format=yuv420p']
