export type EndCode = 'unpublished' | 'stopped' | 'disabled' | 'deleted' | 'not_back'

/** Shown by encoders and in the log of the stream. */
export const endMessages: Record<EndCode, string> = {
  unpublished: 'The encoder ended the stream.',
  stopped: 'The stream was stopped by the API.',
  disabled: 'The live stream was disabled.',
  deleted: 'The project was deleted.',
  not_back: 'The publisher did not reconnect in time.',
}
