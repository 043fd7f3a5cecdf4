import { Counter } from 'prom-client'

const mediaSeconds = new Counter({
  name: 'zoetrope_encode_media_seconds_total',
  help: 'Seconds of media that this process has encoded, once for all renditions of one run.',
})

const runSeconds = new Counter({
  name: 'zoetrope_encode_run_seconds_total',
  help: 'Seconds that encodes of this process have run, summed over parallel ones.',
})

/** Counts one encode while it runs, because a long one may take hours. The quotient of both counters is the speed. */
export const measureEncodeSpeed = (): { readonly reached: (outTimeSeconds: number) => void } => {
  let atMs = performance.now()
  let doneSeconds = 0
  return {
    reached: (outTimeSeconds) => {
      const nowMs = performance.now()
      runSeconds.inc((nowMs - atMs) / 1000)
      atMs = nowMs
      mediaSeconds.inc(Math.max(0, outTimeSeconds - doneSeconds))
      doneSeconds = Math.max(doneSeconds, outTimeSeconds)
    },
  }
}
