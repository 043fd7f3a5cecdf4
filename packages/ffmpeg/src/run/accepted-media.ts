/**
 * What ffmpeg may read of a stranger's file. Each demuxer and decoder is C code that a file can attack, and ffmpeg has more
 * than eight hundred: these are the ones that cameras, phones, editors, screen recorders, discs, broadcasts and old web videos need.
 * ffprobe refuses a file for one unlisted track, so the decoders include those of tracks that are not served.
 */

/** Demuxers that read only one file: playlists and concat scripts named `.mp4` could read other local files. */
const fileFormats = [
  ...['mov', 'matroska', 'mpegts', 'avi', 'flv', 'ogg', 'wav', 'aiff', 'caf', 'mp3', 'flac', 'aac'],
  ...['asf', 'mxf', 'mpeg', 'ivf', 'rm'],
]

const videoDecoders = [
  ...['h264', 'hevc', 'vvc', 'av1', 'libdav1d', 'libaom-av1', 'vp8', 'libvpx', 'vp9', 'libvpx-vp9'],
  ...['mpeg1video', 'mpeg2video', 'mpegvideo', 'mpeg4', 'h263', 'h263i', 'h263p', 'theora', 'dirac'],
  // Editing and archives.
  ...['prores', 'dnxhd', 'cfhd', 'dvvideo', 'ffv1', 'ffvhuff', 'huffyuv', 'utvideo', 'magicyuv', 'lagarith'],
  ...[
    'hap',
    'aic',
    'qtrle',
    'rawvideo',
    'v210',
    'v210x',
    'v308',
    'v408',
    'v410',
    'r10k',
    'r210',
    'ayuv',
    'yuv4',
  ],
  ...['jpeg2000', 'libopenjpeg', 'mjpeg', 'mjpegb', 'speedhq'],
  // Films of the nineties and the early web.
  ...[
    'msmpeg4',
    'msmpeg4v1',
    'msmpeg4v2',
    'wmv1',
    'wmv2',
    'wmv3',
    'vc1',
    'flv',
    'vp6',
    'vp6a',
    'vp6f',
    'vp3',
  ],
  ...[
    'rv10',
    'rv20',
    'rv30',
    'rv40',
    'svq1',
    'svq3',
    'cinepak',
    'indeo3',
    'rpza',
    'smc',
    'msrle',
    'msvideo1',
  ],
  // Screen recorders.
  ...['mss1', 'mss2', 'tscc2', 'camtasia', 'camstudio', 'zmbv', 'fraps', 'flashsv', 'flashsv2'],
  // Cover pictures.
  ...['png', 'apng', 'gif', 'bmp', 'webp', 'tiff'],
]

const audioDecoders = [
  ...['aac', 'aac_fixed', 'aac_latm', 'libfdk_aac', 'mp1float', 'mp1', 'mp2float', 'mp2', 'mp3float', 'mp3'],
  ...['opus', 'libopus', 'vorbis', 'libvorbis', 'flac', 'alac', 'tta', 'wavpack', 'ac3', 'ac3_fixed', 'eac3'],
  ...['dca', 'truehd', 'mlp', 's302m', 'dvaudio', 'dolby_e'],
  ...[
    'wmav1',
    'wmav2',
    'wmapro',
    'wmalossless',
    'wmavoice',
    'cook',
    'sipr',
    'real_144',
    'real_288',
    'atrac3',
  ],
  ...['amrnb', 'amrwb', 'gsm', 'gsm_ms', 'speex', 'libspeex', 'ilbc', 'nellymoser', 'qdm2', 'qdmc', 'mace3'],
  ...['mace6', 'g722', 'g726', 'g726le', 'g723_1', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf'],
  ...['adpcm_yamaha', 'pcm_alaw', 'pcm_mulaw', 'pcm_bluray', 'pcm_dvd', 'pcm_s8', 'pcm_u8', 'pcm_s16le'],
  ...[
    'pcm_s16be',
    'pcm_s16le_planar',
    'pcm_s16be_planar',
    'pcm_u16le',
    'pcm_u16be',
    'pcm_s24le',
    'pcm_s24be',
  ],
  ...['pcm_s24le_planar', 'pcm_s32le', 'pcm_s32be', 'pcm_s32le_planar', 'pcm_s64le', 'pcm_s64be'],
  ...['pcm_f16le', 'pcm_f24le', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
]

const subtitleDecoders = [
  ...[
    'ass',
    'ssa',
    'srt',
    'subrip',
    'mov_text',
    'webvtt',
    'text',
    'cc_dec',
    'dvbsub',
    'dvdsub',
    'pgssub',
    'xsub',
  ],
  ...['libzvbi_teletextdec', 'libaribb24', 'libaribcaption'],
]

interface Accepted {
  readonly protocols: readonly string[]
  readonly formats: readonly string[]
  readonly decoders: readonly string[]
}

/** Precede an `-i` of ffmpeg and ffprobe. */
export const acceptArguments = ({ protocols, formats, decoders }: Accepted): string[] => [
  ...['-protocol_whitelist', protocols.join(',')],
  ...['-format_whitelist', formats.join(',')],
  ...['-codec_whitelist', decoders.join(',')],
]

export const allDecoders = [...videoDecoders, ...audioDecoders, ...subtitleDecoders]

/** Accepts an upload, as a file or through a pipe. */
export const acceptUploads = acceptArguments({
  protocols: ['file', 'pipe'],
  formats: fileFormats,
  decoders: allDecoders,
})

/** Accepts one format that arrives through a pipe from the network. */
export const acceptStream = (format: string): string[] =>
  acceptArguments({ protocols: ['pipe'], formats: [format], decoders: allDecoders })
