const families = [
  [/^(avc[13]|h264$)/, 'H.264'],
  [/^(hvc1|hev1|hevc$)/, 'HEVC'],
  [/^av(01|1$)/, 'AV1'],
  [/^vp0?9/, 'VP9'],
  [/^(mp4a|aac$)/, 'AAC'],
  [/^opus/i, 'Opus'],
  [/^ac-?3/, 'AC-3'],
  [/^e(c-|ac)3/, 'E-AC-3'],
  [/^mpeg4$/, 'MPEG-4 Part 2'],
  [/^mpeg2video$/, 'MPEG-2'],
  [/^prores$/, 'ProRes'],
  [/^flac$/, 'FLAC'],
  [/^pcm_/, 'PCM'],
  [/^mp3/, 'MP3'],
] as const

/** Returns the common name of a codec for an RFC 6381 string or a name of ffmpeg. */
export const codecName = (codec: string): string =>
  families.find(([pattern]) => pattern.test(codec))?.[1] ?? codec
