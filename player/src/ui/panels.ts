/** Dialogs over the video. */
export interface Panels {
  readonly openHelp: () => void
  /** Null without an address to share. */
  readonly openShare: (() => void) | null
  readonly openCaptionLook: () => void
}
