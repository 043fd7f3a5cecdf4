type WebKitVideo = HTMLVideoElement & { readonly webkitShowPlaybackTargetPicker?: () => void }

export interface Remote {
  readonly kind: 'airplay' | 'cast'
  readonly choose: () => void
}

/**
 * Offers other devices through browser APIs: AirPlay in Safari, the Remote Playback API elsewhere. Google's
 * Cast script would be a request to a third party. `onChange` receives the method when a device is available, and
 * null when none is.
 */
export const watchRemotes = (video: HTMLVideoElement, onChange: (remote: Remote | null) => void): void => {
  const airPlay = video as WebKitVideo
  if (airPlay.webkitShowPlaybackTargetPicker !== undefined) {
    const remote: Remote = { kind: 'airplay', choose: () => airPlay.webkitShowPlaybackTargetPicker?.() }
    video.addEventListener('webkitplaybacktargetavailabilitychanged', (event) =>
      onChange(
        (event as Event & { readonly availability?: string }).availability === 'available' ? remote : null,
      ),
    )
    return
  }
  if (!('remote' in video)) return
  const remote: Remote = { kind: 'cast', choose: () => void video.remote.prompt().catch(() => undefined) }
  video.remote
    .watchAvailability((isAvailable) => onChange(isAvailable ? remote : null))
    // Some browsers cannot watch availability.
    .catch(() => undefined)
}
