/** Reports why bytes are not an accepted picture. The message follows `The picture `. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}
