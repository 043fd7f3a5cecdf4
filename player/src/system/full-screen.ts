type OldVideo = HTMLVideoElement & { readonly webkitEnterFullscreen?: () => void }

/** iPhones support full screen for the video element only, with native controls. */
export const canFillScreen = (video: HTMLVideoElement): boolean =>
  document.fullscreenEnabled || (video as OldVideo).webkitEnterFullscreen !== undefined

export const toggleFullScreen = (stage: HTMLElement, video: HTMLVideoElement): void => {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  else if (document.fullscreenEnabled)
    // In theatre mode, the list belongs to the picture.
    void (stage.closest('.theatre') ?? stage).requestFullscreen().catch(() => undefined)
  else (video as OldVideo).webkitEnterFullscreen?.()
}

export const togglePictureInPicture = (video: HTMLVideoElement): void => {
  // Firefox has no API for it, and the key works without the button.
  if (!document.pictureInPictureEnabled) return
  const change =
    document.pictureInPictureElement === null
      ? video.requestPictureInPicture()
      : document.exitPictureInPicture().then(() => undefined)
  change.catch(() => undefined)
}
