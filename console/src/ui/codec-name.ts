const families = [
  [/^avc[13]/, 'H.264'],
  [/^(hvc1|hev1)/, 'HEVC'],
  [/^av01/, 'AV1'],
  [/^vp09/, 'VP9'],
  [/^mp4a/, 'AAC'],
  [/^opus/i, 'Opus'],
  [/^ac-3/, 'AC-3'],
  [/^ec-3/, 'E-AC-3'],
] as const

/** Returns the common name of a codec for an RFC 6381 string. */
export const codecName = (codec: string): string =>
  families.find(([pattern]) => pattern.test(codec))?.[1] ?? codec
