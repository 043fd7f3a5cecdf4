/** RFC 6716, table 2: frame size in samples at 48 kHz, by the upper five bits of a packet's first byte. */
const frameSamples = [
  ...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
  ...[480, 960, 480, 960],
  ...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
]

/** RFC 6716, 3.2.5: 120 ms. */
const mostSamples = 5_760

/** RFC 6716, 3.1 and 3.2: returns the duration of an Opus packet in samples at 48 kHz; 0 when the packet is invalid. */
export const opusPacketSamples = (packet: Buffer): number => {
  const [first = 0, second = 0] = packet
  const counts = [1, 2, 2, second & 0x3f]
  const samples = frameSamples[first >> 3]! * counts[first & 3]!
  return samples > mostSamples ? 0 : samples
}
