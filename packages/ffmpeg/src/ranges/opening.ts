/** ffmpeg reads at most 5 MB of packets to determine the properties of the tracks (`probesize`), and finishes the last. */
export const probeBytes = 6_000_000

/** A little more than the time that ffmpeg reads for that (`analyzeduration`). */
export const probeSeconds = 6

/** Tolerance for edit lists and reordered frames. With the latter, ffmpeg seeks 3/23 s earlier in Matroska. */
export const toleratedSeconds = 0.2
