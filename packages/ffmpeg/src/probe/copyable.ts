import type { AudioStream, VideoStream } from './probe.ts'

const playableProfiles = ['Constrained Baseline', 'Baseline', 'Main', 'High']
const playableAacProfiles = ['LC', 'HE-AAC', 'HE-AACv2']

/**
 * Whether every browser and phone plays this track unchanged: H.264 up to High, 8-bit 4:2:0, progressive,
 * upright, square pixels.
 */
export const canCopyVideo = (video: VideoStream): boolean =>
  video.codec === 'h264' &&
  playableProfiles.includes(video.profile ?? '') &&
  video.bitDepth === 8 &&
  video.chroma === '4:2:0' &&
  !video.isInterlaced &&
  !video.isHdr &&
  video.rotationDegrees === 0 &&
  video.isFlipped !== true &&
  video.sampleAspectRatio.numerator === video.sampleAspectRatio.denominator &&
  video.widthPixels % 2 === 0 &&
  video.heightPixels % 2 === 0

/**
 * Whether every browser and phone plays this track unchanged: AAC LC or HE-AAC, mono or stereo, 32–48 kHz.
 */
export const canCopyAudio = (audio: AudioStream): boolean =>
  audio.codec === 'aac' &&
  playableAacProfiles.includes(audio.profile ?? '') &&
  audio.channels <= 2 &&
  audio.sampleRateHz >= 32_000 &&
  audio.sampleRateHz <= 48_000
