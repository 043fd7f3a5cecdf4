import type { VideoStream } from './probe.ts'

export type PictureSize = { widthPixels: number; heightPixels: number }

/** As a viewer sees it. */
export const displaySize = ({ displayWidthPixels, displayHeightPixels }: VideoStream): PictureSize => ({
  widthPixels: displayWidthPixels,
  heightPixels: displayHeightPixels,
})

/** One frame a frame; frames that are progressive in a mixed source pass unchanged. */
export const deinterlaceFilters = (video: VideoStream): string[] =>
  video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []

/** Exact size, so all rungs agree even when the source changes its size midway; ffmpeg has turned the picture upright before. */
export const scaleFilters = ({ widthPixels, heightPixels }: PictureSize): string[] => [
  `scale=${widthPixels}:${heightPixels}:out_range=tv`,
  'setsar=1',
]

/**
 * HDR10 and HLG to BT.709, at the cost of a float picture: after scaling, once. Files that leave their primaries out are BT.2020 in practice, and
 * zscale finds no way from unknown ones.
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
