/**
 * Size of the picture in percent of the rendition, in pixels of the screen. Null without a picture, and where the page does not
 * know its size: picture in picture, or another device.
 */
export const pictureScale = (video: HTMLVideoElement): number | null => {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video
  if (videoWidth === 0 || clientWidth === 0 || document.pictureInPictureElement === video) return null
  if ('remote' in video && video.remote.state !== 'disconnected') return null
  const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight) * devicePixelRatio
  return Math.round(scale * 100)
}
