import { gainOf, isEncoded, measureLoudness, type AudioPlan, type MediaPlan } from '@zoetrope/ffmpeg'
import { awaitedNiceness } from './encode-niceness.ts'

/**
 * Sets the gain that brings each encoded track to the common loudness. Measuring decodes the whole track, at
 * about 400 times playback speed.
 */
export const normalizeLoudness = async (
  plan: MediaPlan,
  inputPath: string,
  run: { readonly workFolder: string; readonly signal: AbortSignal; readonly maxSeconds: number },
): Promise<MediaPlan> => {
  const { workFolder, signal, maxSeconds } = run
  const options = { workFolder, signal, maxSeconds, niceness: awaitedNiceness }
  const audio: AudioPlan[] = []
  for (const track of plan.audio) {
    const loudness = isEncoded(track) ? await measureLoudness(inputPath, track, options) : null
    audio.push(loudness === null || !isEncoded(track) ? track : { ...track, gainDecibels: gainOf(loudness) })
  }
  return { ...plan, audio }
}
