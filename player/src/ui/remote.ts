type WebKitVideo = HTMLVideoElement & { readonly webkitShowPlaybackTargetPicker?: () => void }

export interface Remote {
  readonly kind: 'airplay' | 'cast'
  readonly choose: () => void
}

/**
 * Other devices to play on, by what the browser itself offers: AirPlay in Safari, the Remote Playback API elsewhere. Google's script for Cast
 * would be a request to somebody else. `tell` hears of a way when there is a device, and null when there is none any more.
 */
export const watchRemotes = (video: HTMLVideoElement, tell: (remote: Remote | null) => void): void => {
  const airPlay = video as WebKitVideo
  if (airPlay.webkitShowPlaybackTargetPicker !== undefined) {
    const remote: Remote = { kind: 'airplay', choose: () => airPlay.webkitShowPlaybackTargetPicker?.() }
    video.addEventListener('webkitplaybacktargetavailabilitychanged', (event) =>
      tell(
        (event as Event & { readonly availability?: string }).availability === 'available' ? remote : null,
      ),
    )
    return
  }
  if (!('remote' in video)) return
  const remote: Remote = { kind: 'cast', choose: () => void video.remote.prompt().catch(() => undefined) }
  video.remote
    .watchAvailability((isAvailable) => tell(isAvailable ? remote : null))
    // Not every browser can watch.
    .catch(() => undefined)
}
