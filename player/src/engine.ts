// A file of its own in the build: pages load it when there is something to play.
export { default as Hls, ErrorDetails, ErrorTypes, Events } from 'hls.js'
