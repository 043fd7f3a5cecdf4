type WebKitVideo = HTMLVideoElement & { readonly webkitShowPlaybackTargetPicker?: () => void }

export interface Remote {
  readonly kind: 'airplay' | 'cast'
  readonly isConnected: boolean
  /** Opens the device list of the browser. */
  readonly choose: () => void
}

interface Remotes {
  readonly video: HTMLVideoElement
  /** Switches to native playback. Returns false when the browser cannot. */
  readonly playNatively: () => boolean
  readonly onChange: (remote: Remote | null) => void
}

const watchAirPlay = ({ video, playNatively, onChange }: Remotes, showPicker: () => void): void => {
  let isAvailable = false
  const show = (): void => {
    const isConnected =
      (video as { readonly webkitCurrentPlaybackTargetIsWireless?: boolean })
        .webkitCurrentPlaybackTargetIsWireless === true
    // AirPlay takes over native playback only.
    const choose = (): void => (playNatively() ? showPicker() : undefined)
    onChange(isAvailable || isConnected ? { kind: 'airplay', isConnected, choose } : null)
  }
  video.addEventListener('webkitplaybacktargetavailabilitychanged', (event) => {
    isAvailable = (event as Event & { readonly availability?: string }).availability === 'available'
    show()
  })
  video.addEventListener('webkitcurrentplaybacktargetiswirelesschanged', show)
}

const watchCast = ({ video, playNatively, onChange }: Remotes): void => {
  const { remote } = video
  let isAvailable = false
  const choose = async (): Promise<void> => {
    try {
      await remote.prompt()
    } catch (error) {
      // Some browsers can hand over native playback only, and some no media at all. A closed list needs no reaction.
      const isUnfit =
        error instanceof DOMException && ['NotSupportedError', 'InvalidStateError'].includes(error.name)
      if (isUnfit && playNatively()) await remote.prompt().catch(() => undefined)
    }
  }
  const show = (): void => {
    const isConnected = remote.state !== 'disconnected'
    onChange(isAvailable || isConnected ? { kind: 'cast', isConnected, choose: () => void choose() } : null)
  }
  for (const event of ['connecting', 'connect', 'disconnect']) remote.addEventListener(event, show)
  remote
    .watchAvailability((found) => {
      isAvailable = found
      show()
    })
    // Some browsers cannot watch availability.
    .catch(() => undefined)
}

/**
 * Offers other devices through browser APIs: AirPlay in Safari, the Remote Playback API elsewhere. Google's
 * Cast script would be a request to a third party. `onChange` receives null when no device is available.
 */
export const watchRemotes = (remotes: Remotes): void => {
  const airPlay = remotes.video as WebKitVideo
  if (airPlay.webkitShowPlaybackTargetPicker !== undefined)
    watchAirPlay(remotes, () => airPlay.webkitShowPlaybackTargetPicker?.())
  else if ('remote' in remotes.video) watchCast(remotes)
}
