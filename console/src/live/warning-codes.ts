export const warningCodes = [
  ...(['key_frames_too_rare', 'frame_rate_drops', 'bit_rate_unstable', 'no_audio', 'no_video'] as const),
  ...(['video_not_shown', 'audio_not_shown'] as const),
  ...(['clock_drift', 'publisher_slow', 'publisher_fast', 'clock_jumped', 'track_ignored'] as const),
  ...(['port_taken', 'disk_almost_full', 'recording_stopped', 'dvr_shortened', 'dvr_unavailable'] as const),
  ...(['ladder_slow', 'ladder_failed', 'ladder_full'] as const),
] as const
