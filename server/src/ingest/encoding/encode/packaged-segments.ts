import { segmentSeconds } from '@zoetrope/ffmpeg'

/** With two-second groups of pictures, no segment exceeds the target duration in the playlists. */
export const packagedSegmentSeconds = segmentSeconds
/**
 * Half a group of pictures, so that playback starts early. The second segment takes the rest of the target duration,
 * because all renditions are cut at the same instants.
 */
export const packagedFirstSegmentSeconds = 1
