import type { MediaMessage } from '@zoetrope/rtmp'

interface SourceTrack {
  readonly kind: 'Video' | 'Audio' | 'Subtitle'
  readonly codec: string
}

/** Collects the tracks of an input from the log lines of ffmpeg after it has opened the input. */
export interface SourceTracks {
  readonly readLine: (line: string) => void
  /** Null when every track is shown. */
  readonly warning: () => MediaMessage | null
}

const shownVideo = new Set(['h264', 'hevc', 'av1'])
const trackLine = /^\[info\]\s+Stream #0:\d+\S*: (Video|Audio|Subtitle): (\w+)/
const programLine = /^\[info\]\s+Program \d+/
/** Cover art is not a video track: ffmpeg and players skip it. */
const isCover = (line: string): boolean => line.includes('(attached pic)')

/** `hasVariants`: each program of the input is the same media at another bit rate. */
export const createSourceTracks = ({ hasVariants }: { readonly hasVariants: boolean }): SourceTracks => {
  const tracks: SourceTrack[] = []
  let programs = 0
  let isInput = true
  return {
    readLine: (line) => {
      // From here on, the same lines list the output streams.
      if (/\] (Stream mapping:|Output #0)/.test(line)) isInput = false
      if (!isInput || isCover(line)) return
      if (programLine.test(line)) programs++
      const [, kind, codec] = trackLine.exec(line) ?? []
      if (codec !== undefined) tracks.push({ kind: kind as SourceTrack['kind'], codec })
    },
    warning: () => {
      const first = (wanted: SourceTrack['kind']) => tracks.find(({ kind }) => kind === wanted)
      const [video, audio] = [first('Video'), first('Audio')]
      const isShown = (track: SourceTrack): boolean =>
        track === audio || (track === video && shownVideo.has(track.codec))
      const received = hasVariants && programs > 1 ? [video, audio] : tracks
      const ignored = received.filter((track) => track !== undefined && !isShown(track))
      if (ignored.length === 0) return null
      const names = ignored.map((track) => `${track!.kind.toLowerCase()} in ${track!.codec}`)
      return {
        type: 'warning',
        code: 'track_ignored',
        message: `Some tracks of the source are not shown: ${names.join(', ')}. Send one video track in H.264, HEVC or AV1, and one audio track.`,
      }
    },
  }
}
