/** A picture as somebody sent it, without what is not needed to draw it. */
export interface UploadedPicture {
  readonly format: 'jpeg' | 'png' | 'webp'
  /** Only the parts that are pixels: a decoder sees no metadata, which may hide anything. */
  readonly bytes: Buffer
  /** As stored, before it is turned. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** EXIF's number; 1 is upright. */
  readonly orientation: number
}
