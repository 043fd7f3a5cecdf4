export interface PictureSize {
  readonly widthPixels: number
  readonly heightPixels: number
}
