import type { Turn } from '../../../packages/isobmff/test-support/turn-picture.ts'

/**
 * Small files in the shapes of real uploads, with the expected plan for each. plan-source.test.ts explains
 * the notation.
 */

const picture = (size: string, rate: number, seconds: number) =>
  `-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
const tone = (seconds: number) => `-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`

const both = `${picture('160x90', 25, 1)} ${tone(1)}`
const soundAndCover = `${tone(1)} -i {cover.png}`
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const hevc = '-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=none'
const hdrOf = (transfer: string) =>
  `-pix_fmt yuv420p10le -vf setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc=${transfer}`
const hdr = (transfer: string) => `${hevc} ${hdrOf(transfer)}`
const aac = '-c:a aac -ac 2'
const copy = '-map 0 -c copy'
const maps = (...tracks: string[]) => tracks.map((track) => `-map ${track}`).join(' ')

type Row = readonly [name: string, output: string, expected: string | null, inputs?: string, turned?: Turn]

const rows: readonly Row[] = [
  // Video codecs and their variants.
  [
    'baseline.mp4',
    `${h264} -profile:v baseline ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'main.mov',
    `-c:v libx264 -profile:v main -pix_fmt yuv420p ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'high.m4v',
    `-c:v libx264 -profile:v high -pix_fmt yuv420p ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'ten-bit.mp4',
    `-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le ${aac}`,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s',
  ],
  [
    'chroma-422.mkv',
    `-c:v libx264 -preset ultrafast -pix_fmt yuv422p ${aac}`,
    '160x90 25.00, 90p 160x90; encoded stereo; 1.02 s',
  ],
  [
    'chroma-444.mp4',
    `-c:v libx264 -preset ultrafast -pix_fmt yuv444p ${aac}`,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s',
  ],
  [
    'full-range.mp4',
    `-c:v libx264 -preset ultrafast -pix_fmt yuvj420p ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'open-gop.mp4',
    `-c:v libx264 -pix_fmt yuv420p -g 8 -bf 3 -b_strategy 0 -x264-params open-gop=1:scenecut=0 ${aac}`,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s',
  ],
  [
    'long-gop.mp4',
    `${h264} -g 999 -sc_threshold 0 ${aac}`,
    '160x90 5.00, 90p 160x90; passthrough stereo; 12.00 s',
    `${picture('160x90', 5, 12)} ${tone(12)}`,
  ],
  [
    'interlaced.mp4',
    `-vf scale=160:96,setsar=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -flags +ilme+ildct -x264-params tff=1 ${aac}`,
    '160x96 25.00, 96p 160x96, deinterlaced; passthrough stereo; 1.00 s',
  ],
  ['hevc.mp4', `${hevc} -tag:v hvc1 ${aac}`, '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s'],
  [
    'hevc-ten-bit.mkv',
    `${hevc} -pix_fmt yuv420p10le ${aac}`,
    '160x90 25.00, 90p 160x90; encoded stereo; 1.02 s',
  ],
  [
    'hdr10.mp4',
    `${hdr('smpte2084')} ${aac}`,
    '160x90 25.00, 90p 160x90, tone-mapped; passthrough stereo; 1.00 s',
  ],
  [
    'hlg.mov',
    `${hdr('arib-std-b67')} ${aac}`,
    '160x90 25.00, 90p 160x90, tone-mapped; passthrough stereo; 1.00 s',
  ],
  [
    'hdr-av1.mkv',
    `-c:v libsvtav1 -preset 12 ${hdrOf('smpte2084')} ${aac}`,
    '160x90 25.00, 90p 160x90, tone-mapped; encoded stereo; 1.02 s',
  ],
  [
    'hdr-vp9.webm',
    `-c:v libvpx-vp9 -cpu-used 8 -deadline realtime -profile:v 2 ${hdrOf('arib-std-b67')} -c:a libopus`,
    '160x90 25.00, 90p 160x90, tone-mapped; encoded mono; 1.01 s',
  ],
  [
    'hevc-422.mov',
    `${hevc} -pix_fmt yuv422p10le -tag:v hvc1 ${aac}`,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s',
  ],
  [
    'vp8.webm',
    '-c:v libvpx -cpu-used 16 -deadline realtime -c:a libvorbis',
    '160x90 25.00, 90p 160x90; encoded mono; 1.00 s',
  ],
  [
    'vp9.webm',
    '-c:v libvpx-vp9 -cpu-used 8 -deadline realtime -c:a libopus',
    '160x90 25.00, 90p 160x90; encoded mono; 1.01 s',
  ],
  [
    'vp9-odd.webm',
    '-vf scale=161:91,setsar=1 -c:v libvpx-vp9 -cpu-used 8 -deadline realtime -an',
    '161x91 25.00, 91p 160x90; 1.00 s',
  ],
  ['av1.mp4', `-c:v libsvtav1 -preset 12 ${aac}`, '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s'],
  ['mpeg2.mpg', '-c:v mpeg2video -c:a mp2', '160x90 25.00, 90p 160x90; encoded mono; 1.01 s'],
  [
    'mpeg2-fields.ts',
    '-c:v mpeg2video -flags +ilme+ildct -c:a ac3 -ac 6',
    '160x90 25.00, 90p 160x90, deinterlaced; encoded stereo; 1.02 s',
  ],
  ['mpeg2.mxf', '-c:v mpeg2video -c:a pcm_s16le', '160x90 25.00, 90p 160x90; encoded mono; 1.00 s'],
  ['mpeg4.avi', '-c:v mpeg4 -c:a mp3', '160x90 25.00, 90p 160x90; encoded mono; 1.04 s'],
  ['mpeg4.mp4', `-c:v mpeg4 ${aac}`, '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s'],
  ['divx3.avi', '-c:v msmpeg4 -c:a mp3', '160x90 25.00, 90p 160x90; encoded mono; 1.04 s'],
  [
    'prores.mov',
    '-c:v prores_ks -profile:v 2 -c:a pcm_s24le',
    '160x90 25.00, 90p 160x90; encoded mono; 1.00 s',
  ],
  [
    'prores-alpha.mov',
    '-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le -c:a pcm_s16le',
    '160x90 25.00, 90p 160x90; encoded mono; 1.00 s',
  ],
  ['theora.ogv', '-c:v libtheora -c:a libvorbis', '160x90 25.00, 90p 160x90; encoded mono; 1.00 s'],
  ['mjpeg.avi', '-c:v mjpeg -c:a pcm_u8', '160x90 25.00, 90p 160x90; encoded mono; 1.00 s'],
  ['mjpeg.mov', '-c:v mjpeg -c:a adpcm_ima_qt', '160x90 25.00, 90p 160x90; encoded mono; 1.00 s'],
  ['wmv.wmv', '-c:v wmv2 -c:a wmav2', '160x90 25.00, 90p 160x90; encoded mono; 1.04 s'],
  ['sorenson.flv', '-c:v flv -c:a mp3 -ar 44100', '160x90 25.00, 90p 160x90; encoded mono; 1.02 s'],
  [
    'h263.3gp',
    `-vf scale=176:144,setsar=1 -c:v h263 ${aac}`,
    '176x144 25.00, 144p 176x144; passthrough stereo; 1.00 s',
  ],
  ['lossless.mkv', '-c:v ffv1 -c:a flac', '160x90 25.00, 90p 160x90; encoded mono; 1.00 s'],
  [
    'raw.avi',
    '-c:v rawvideo -pix_fmt yuv420p -c:a pcm_s16le',
    '160x90 25.00, 90p 160x90; encoded mono; 1.00 s',
  ],
  // Sound beside a video track that plays as it is stored.
  ['mono.mp4', `${h264} -c:a aac -ac 1`, '160x90 25.00, passthrough; passthrough mono; 1.00 s'],
  ['surround.mp4', `${h264} -c:a aac -ac 6`, '160x90 25.00, passthrough; encoded stereo; 1.00 s'],
  ['eight-channels.mp4', `${h264} -c:a aac -ac 8`, '160x90 25.00, passthrough; encoded stereo; 1.00 s'],
  ['hi-res.mp4', `${h264} -c:a aac -ac 2 -ar 96000`, '160x90 25.00, passthrough; encoded stereo; 1.00 s'],
  ['phone-line.mp4', `${h264} -c:a aac -ac 1 -ar 16000`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['mp3.mp4', `${h264} -c:a mp3`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['ac3.mp4', `${h264} -c:a ac3 -ac 6`, '160x90 25.00, passthrough; encoded stereo; 1.02 s'],
  ['eac3.mkv', `${h264} -c:a eac3 -ac 6`, '160x90 25.00, remuxed; encoded stereo; 1.02 s'],
  ['opus.mp4', `${h264} -c:a libopus`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['flac.mp4', `${h264} -c:a flac -strict -2`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['alac.mov', `${h264} -c:a alac`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['pcm.mov', `${h264} -c:a pcm_s16le`, '160x90 25.00, passthrough; encoded mono; 1.00 s'],
  ['dts.mkv', `${h264} -c:a dca -ac 6 -strict -2`, '160x90 25.00, remuxed; encoded stereo; 1.00 s'],
  ['silent.mp4', `${h264} -an`, '160x90 25.00, passthrough; 1.00 s'],
  // Containers with browser codecs.
  ['plain.mkv', `${h264} ${aac}`, '160x90 25.00, remuxed; remuxed stereo; 1.02 s'],
  ['plain.flv', `${h264} ${aac} -ar 44100`, '160x90 25.00, remuxed; remuxed stereo; 1.02 s'],
  ['plain.ts', `${h264} ${aac}`, '160x90 25.00, remuxed; remuxed stereo; 1.00 s'],
  ['plain.avi', `${h264} ${aac}`, '160x90 25.00, remuxed; remuxed stereo; 1.04 s'],
  [
    'reordered.avi',
    `-c:v libx264 -preset superfast -pix_fmt yuv420p -bf 2 -b_strategy 0 ${aac}`,
    '160x90 25.00, 90p 160x90; encoded stereo; 1.09 s',
  ],
  [
    'fast-start.mp4',
    `${h264} ${aac} -movflags +faststart`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'fragmented.mp4',
    `${h264} ${aac} -movflags +empty_moov+frag_keyframe+default_base_moof`,
    '160x90 25.00, passthrough; passthrough stereo; 1.02 s',
  ],
  ['live.mkv', `${h264} ${aac} -live 1`, '160x90 25.00, remuxed; remuxed stereo; of unknown length'],
  [
    'no-length.flv',
    `${h264} ${aac} -ar 44100 -flvflags no_duration_filesize`,
    '160x90 25.00, remuxed; remuxed stereo; 0.98 s',
  ],
  // Audio only.
  ['tone.m4a', `-vn ${aac}`, 'passthrough stereo; 1.00 s'],
  ['tone.mp3', '-vn -c:a mp3 -ac 2', 'encoded stereo; 1.03 s'],
  ['tone.aac', `-vn ${aac}`, 'remuxed stereo; 1.02 s'],
  ['tone.flac', '-vn -c:a flac', 'encoded mono; 1.00 s'],
  ['tone.ogg', '-vn -c:a libvorbis -ac 2', 'encoded stereo; 1.00 s'],
  ['tone.opus', '-vn -c:a libopus', 'encoded mono; 1.01 s'],
  ['tone.wav', '-vn -c:a pcm_s24le -ac 8', 'encoded stereo; 1.00 s'],
  ['tone.aiff', '-vn', 'encoded mono; 1.00 s'],
  ['tone.caf', '-vn', 'encoded mono; 1.00 s'],
  ['tone.wma', '-vn -c:a wmav2', 'encoded mono; 1.02 s'],
  ['cover.png', '-frames:v 1', null],
  [
    'cover.mp3',
    `-map 0 -map 1 -c:a mp3 -c:v mjpeg -disposition:v attached_pic`,
    'encoded mono; 1.03 s',
    soundAndCover,
  ],
  [
    'cover.m4a',
    `-map 0 -map 1 ${aac} -c:v mjpeg -disposition:v attached_pic`,
    'passthrough stereo; 1.00 s',
    soundAndCover,
  ],
  [
    'one-frame.mp4',
    `${h264} ${aac}`,
    'passthrough stereo; 2.00 s',
    `${picture('160x90', 25, 0.04)} ${tone(2)}`,
  ],
  ['tone.mka', `-vn ${aac}`, 'remuxed stereo; 1.02 s'],
  ['tone.ac3', '-vn -c:a ac3', 'not_media'],
  [
    'cover.mkv',
    `${copy} -attach {cover.png} -metadata:s:2 mimetype=image/png -metadata:s:2 filename=cover.png`,
    '160x90 25.00, remuxed; remuxed stereo; 1.02 s',
    '-i {plain.mkv}',
  ],
  [
    'portrait.mp4',
    `-vf scale=90:160,setsar=1 ${h264} ${aac}`,
    '90x160 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  ['turned-90.mp4', copy, '90x160 25.00, 90p 90x160; passthrough stereo; 1.00 s', '-i {baseline.mp4}', 90],
  ['turned-180.mp4', copy, '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s', '-i {baseline.mp4}', 180],
  ['turned-270.mp4', copy, '90x160 25.00, 90p 90x160; passthrough stereo; 1.00 s', '-i {baseline.mp4}', 270],
  [
    'flipped.mp4',
    copy,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.00 s',
    '-i {baseline.mp4}',
    'flipped',
  ],
  [
    'anamorphic.mp4',
    `-vf setsar=4/3 ${h264} ${aac}`,
    '213x90 25.00, 120p 212x90; passthrough stereo; 1.00 s',
  ],
  [
    'tall-pixels.mpg',
    `-vf scale=144:90,setsar=8/9 -c:v mpeg2video -c:a mp2`,
    '120x90 25.00, 90p 120x90; encoded mono; 1.01 s',
  ],
  [
    'odd.mp4',
    `-vf scale=161:91,setsar=1 -c:v libx264 -preset ultrafast -pix_fmt yuv444p -an`,
    '161x91 25.00, 91p 160x90; 1.00 s',
  ],
  [
    'hd.avi',
    `-vf scale=1280:720 -c:v mjpeg -an -frames:v 3`,
    '1280x720 25.00, 720p 1280x720, 480p 854x480, 360p 640x360; 0.12 s',
  ],
  [
    'hd.mp4',
    `-vf scale=1280:720 ${h264} -an -frames:v 3`,
    '1280x720 25.00, passthrough, 480p 854x480, 360p 640x360; 0.12 s',
  ],
  [
    'variable.mp4',
    `-vf select=lt(n\\,10)+not(mod(n\\,5)) -fps_mode vfr ${h264} ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'variable.flv',
    `-vf select=lt(n\\,10)+not(mod(n\\,5)) -fps_mode vfr ${h264} ${aac} -ar 44100`,
    '160x90 25.00, remuxed; remuxed stereo; 1.02 s',
  ],
  ['ntsc.mkv', `-r 30000/1001 -c:v mpeg4 ${aac}`, '160x90 29.97, 90p 160x90; encoded stereo; 1.02 s'],
  ['film.mp4', `-r 24000/1001 ${h264} ${aac}`, '160x90 23.98, passthrough; passthrough stereo; 1.04 s'],
  ['fast.mp4', `-vf fps=120 -c:v mpeg4 ${aac}`, '160x90 60.00, 90p 160x90; passthrough stereo; 1.00 s'],
  [
    'slow-motion.mp4',
    `-vf fps=240 -c:v mpeg4 -t 0.2 ${aac}`,
    '160x90 60.00, 90p 160x90; passthrough stereo; 0.20 s',
  ],
  ['thousand.mkv', `-vf fps=1000 -c:v mpeg4 -an -t 0.1`, '160x90 25.00, 90p 160x90; 0.10 s'],
  ['tenth.mp4', `-t 0.1 ${h264} ${aac}`, '160x90 25.00, passthrough; passthrough stereo; 0.12 s'],
  [
    'tenth.webm',
    `-t 0.1 -c:v libvpx -cpu-used 16 -deadline realtime -c:a libopus`,
    '160x90 25.00, 90p 160x90; encoded mono; 0.13 s',
  ],
  ['frame.mp4', `-frames:v 1 ${h264} -an`, '160x90 25.00, passthrough; 0.04 s'],
  ['frame.avi', `-frames:v 1 -c:v mpeg4 -an`, '160x90 25.00, 90p 160x90; 0.04 s'],
  [
    'long-sound.mp4',
    `-vf trim=duration=0.5 ${h264} ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'short-sound.mp4',
    `-af atrim=duration=0.5 ${h264} ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'ten-hours.ts',
    `${copy} -output_ts_offset 36000`,
    '160x90 25.00, remuxed; remuxed stereo; 1.00 s',
    '-i {plain.ts}',
  ],
  [
    'negative.mkv',
    `${copy} -output_ts_offset -0.5 -avoid_negative_ts disabled`,
    '160x90 25.00, remuxed; remuxed stereo; 0.52 s',
    '-i {plain.mkv}',
  ],
  [
    'late-picture.mp4',
    `${maps('0:v', '1:a')} -c copy`,
    '160x90 25.00, passthrough; passthrough stereo; 1.40 s',
    '-itsoffset 0.4 -i {baseline.mp4} -i {baseline.mp4}',
  ],
  [
    'later-picture.mp4',
    `${maps('0:v', '1:a')} -c copy`,
    '160x90 25.00, 90p 160x90; passthrough stereo; 1.60 s',
    '-itsoffset 0.6 -i {baseline.mp4} -i {baseline.mp4}',
  ],
  [
    'late-sound.mkv',
    `${maps('1:v', '0:a')} -c copy`,
    '160x90 25.00, 90p 160x90; encoded stereo; 1.40 s',
    '-itsoffset 0.4 -i {mpeg4.mp4} -i {mpeg4.mp4}',
  ],
  ['edited.mp4', copy, '160x90 25.00, 90p 160x90; passthrough stereo; 0.50 s', '-ss 0.5 -i {main.mov}'],
  // Tracks.
  [
    'languages.mkv',
    `${maps('0', '1', '1', '1')} ${h264} ${aac} -metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:a:2 language=eng -metadata:s:a:2 title=Commentary`,
    '160x90 25.00, remuxed; remuxed stereo German de; remuxed stereo English en; remuxed stereo Commentary en; 1.02 s',
  ],
  [
    'languages.mp4',
    `${maps('0', '1', '1')} ${h264} ${aac} -ac:a:1 6 -metadata:s:a:0 language=fre -metadata:s:a:1 language=eng`,
    '160x90 25.00, passthrough; passthrough stereo French fr; encoded stereo English en; 1.00 s',
  ],
  [
    'second-default.mp4',
    `${maps('0', '1', '1')} ${h264} ${aac} -disposition:a:0 0 -disposition:a:1 default -metadata:s:a:1 language=spa`,
    '160x90 25.00, passthrough; passthrough stereo Spanish es; passthrough stereo; 1.00 s',
  ],
  [
    'twins.ts',
    `${maps('0', '1', '1')} -c:v mpeg2video -c:a mp2 -metadata:s:a:0 language=eng -metadata:s:a:1 language=eng`,
    '160x90 25.00, 90p 160x90; encoded mono English en; encoded mono English 2 en; 1.00 s',
  ],
  [
    'ten-tracks.mp4',
    `${maps('0', ...Array.from({ length: 10 }, () => '1'))} ${h264} ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; passthrough stereo Audio 2; passthrough stereo Audio 3; passthrough stereo Audio 4; passthrough stereo Audio 5; passthrough stereo Audio 6; passthrough stereo Audio 7; passthrough stereo Audio 8; 1.00 s',
  ],
  [
    'two-pictures.mp4',
    `${maps('0', '0', '1')} ${h264} ${aac}`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'second-picture.mp4',
    `${maps('0', '0', '1')} -filter:v:0 scale=64:36 ${h264} ${aac} -disposition:v:0 0 -disposition:v:1 default`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
  [
    'timecode.mov',
    `${h264} ${aac} -timecode 01:00:00:00`,
    '160x90 25.00, passthrough; passthrough stereo; 1.00 s',
  ],
]

export const shapes = rows.map(([name, output, expected, inputs = both, turned]) => ({
  name,
  inputs,
  output,
  expected,
  turned,
}))
