import { knownLanguage } from '../probe/audio-tracks.ts'
import type { Probe, SubtitleStream } from '../probe/probe.ts'
import { fileArgument, inputArguments } from '../run/safe-arguments.ts'
import { gridOriginSeconds, originArguments, timelineOutput } from '../probe/timeline-origin.ts'

/** A subtitle track of the source that ffmpeg can convert to WebVTT. */
export type TextTrack = {
  streamIndex: number
  /** BCP 47; `und` when the file names no language. */
  language: string
  kind: 'subtitles' | 'captions'
  title: string | null
}

export type UnusedSubtitles = {
  codec: string
  language: string
  title: string | null
  reason: 'picture' | 'unsupported' | 'same_language' | 'too_many'
}

export type SubtitlePlan = { texts: TextTrack[]; unused: UnusedSubtitles[] }

/** International releases have about thirty. */
const maxTextTracks = 40

const textCodecs = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'eia_608'])
const pictureCodecs = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'])

const kindOf = ({ codec, title, isForDeaf }: SubtitleStream): TextTrack['kind'] =>
  isForDeaf || codec === 'eia_608' || /\b(?:SDH|CC|hearing impaired)\b/i.test(title ?? '')
    ? 'captions'
    : 'subtitles'

/** Selects one track per kind and language; a full track takes precedence over a forced one. Pure. */
export const planSubtitles = ({ subtitles }: Pick<Probe, 'subtitles'>): SubtitlePlan => {
  const texts: TextTrack[] = []
  const unused: UnusedSubtitles[] = []
  const taken = new Set<string>()
  for (const stream of subtitles.toSorted((a, b) => Number(a.isForced) - Number(b.isForced))) {
    const { codec, title } = stream
    const language = knownLanguage(stream.language)?.tag ?? 'und'
    const kind = kindOf(stream)
    const key = `${language} ${kind}`
    const reason = pictureCodecs.has(codec)
      ? 'picture'
      : !textCodecs.has(codec)
        ? 'unsupported'
        : taken.has(key)
          ? 'same_language'
          : texts.length === maxTextTracks
            ? 'too_many'
            : null
    if (reason !== null) {
      unused.push({ codec, language, title, reason })
      continue
    }
    taken.add(key)
    texts.push({ streamIndex: stream.index, language, kind, title })
  }
  return { texts, unused }
}

/**
 * Returns arguments that convert each track to its own WebVTT file, truncated at `maxBytes`, on the timeline
 * of the renditions. If a cue begins before that timeline, ffmpeg by default moves all cues of the track: disabled.
 */
export const textTrackArguments = (
  inputPath: string,
  probe: Probe,
  outputs: readonly { readonly streamIndex: number; readonly path: string }[],
  maxBytes: number,
): string[] => [
  ...['-nostdin', '-y'],
  ...inputArguments(inputPath, originArguments(gridOriginSeconds(probe))),
  ...outputs.flatMap(({ streamIndex, path }) => [
    ...['-map', `0:${streamIndex}`, '-c:s', 'webvtt', '-map_metadata', '-1'],
    ...['-avoid_negative_ts', 'disabled'],
    ...['-fs', String(maxBytes), '-f', 'webvtt', fileArgument(path)],
  ]),
  ...timelineOutput(probe),
]
