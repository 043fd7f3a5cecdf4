/** What keeps bytes from being a picture that we take; the message follows `The picture `. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}
