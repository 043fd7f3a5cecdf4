// A separate file of the build, which the player loads when the viewer opens the first panel.
export { openCaptionPanel } from './caption-panel.ts'
export { openHelp } from './help.ts'
export { openShare } from './share.ts'
