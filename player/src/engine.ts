// A separate file of the build, which pages load on play.
export { default as Hls, ErrorDetails, ErrorTypes, Events } from 'hls.js'
export { choicesOf } from './engine/choices.ts'
export { aligningLoader } from './file/align-segments.ts'
export { beginOnDemand, hasOtherLadder } from './file/begin-on-demand.ts'
