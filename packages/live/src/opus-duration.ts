/** RFC 6716, table 2: samples at 48 kHz of a frame, by the upper five bits of the packet's first byte. */
const frameSamples = [
  ...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
  ...[480, 960, 480, 960],
  ...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
]

/** RFC 6716, 3.1 and 3.2: how long an Opus packet lasts, in samples at 48 kHz. */
export const opusPacketSamples = (packet: Buffer): number => {
  const [first = 0, second = 0] = packet
  const counts = [1, 2, 2, second & 0x3f]
  return frameSamples[first >> 3]! * counts[first & 3]!
}
