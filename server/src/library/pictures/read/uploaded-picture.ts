export interface UploadedPicture {
  readonly format: 'jpeg' | 'png' | 'webp'
  /** Pixel data only: the decoder sees no metadata, which could hide anything. */
  readonly bytes: Buffer
  /** Stored size, before rotation by `orientation`. */
  readonly widthPixels: number
  readonly heightPixels: number
  /** EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number
}
