import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

const width = 1600
const height = 900

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Scene {
  readonly seed: number
  /** Sky from top to horizon. */
  readonly sky: readonly [string, string, string]
  /** Hills from far to near. */
  readonly hills: readonly string[]
  readonly sun: string
  readonly stars: number
}

const ridge = (random: () => number, base: number, roughness: number): string => {
  const waves = Array.from({ length: 5 }, (_, index) => ({
    length: width / (0.7 + index * 1.1 + random()),
    shift: random() * 2 * Math.PI,
    size: roughness / (index + 1),
  }))
  const points = Array.from({ length: 81 }, (_, index) => {
    const x = (index * width) / 80
    const y = waves.reduce(
      (sum, wave) => sum + wave.size * Math.sin((x / wave.length) * 2 * Math.PI + wave.shift),
      base,
    )
    return `${x.toFixed(0)} ${y.toFixed(1)}`
  })
  return `M0 ${height} L${points.join(' L')} L${width} ${height} Z`
}

/** A landscape as an SVG: sky, sun or moon, stars, and hills that get darker. */
const drawScene = ({ seed, sky, hills, sun, stars }: Scene): string => {
  const random = randomNumbers(seed)
  const dots = Array.from(
    { length: stars },
    () =>
      `<circle cx="${(random() * width).toFixed(0)}" cy="${(random() * height * 0.55).toFixed(0)}" r="${(0.6 + random() * 1.6).toFixed(1)}" fill="#fff" opacity="${(0.3 + random() * 0.7).toFixed(2)}"/>`,
  )
  const sunX = width * (0.25 + random() * 0.5)
  const layers = hills.map((color, index) => {
    const base = height * (0.52 + (0.4 * index) / hills.length)
    return `<path d="${ridge(random, base, 34 + index * 14)}" fill="${color}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset=".45" stop-color="${sky[1]}"/><stop offset=".75" stop-color="${sky[2]}"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#sky)"/>
${dots.join('')}
<circle cx="${sunX.toFixed(0)}" cy="${height * 0.42}" r="150" fill="${sun}" opacity=".18"/>
<circle cx="${sunX.toFixed(0)}" cy="${height * 0.42}" r="72" fill="${sun}"/>
${layers.join('\n')}
</svg>`
}

/** Makes a video of a slow pan over the scene, as cameras export it: it plays without encoding. */
export const makeVideo = async (
  folder: string,
  name: string,
  scene: Scene,
  seconds: number,
): Promise<string> => {
  const drawing = join(folder, `${name}.svg`)
  const picture = join(folder, `${name}.png`)
  const video = join(folder, `${name}.mp4`)
  await writeFile(drawing, drawScene(scene))
  await runProgram('ffmpeg', ['-v', 'error', '-y', '-i', drawing, picture])
  const pan = `crop=1280:720:x='(in_w-out_w)*t/${seconds}':y='(in_h-out_h)*(1-t/${seconds})/2'`
  await runProgram('ffmpeg', [
    ...['-v', 'error', '-y', '-i', picture],
    ...['-f', 'lavfi', '-i', `sine=frequency=${180 + (scene.seed % 7) * 30}:duration=${seconds}`],
    ...['-vf', `format=yuv420p,loop=-1:1:0,fps=25,setpts=N/25/TB,${pan}`, '-af', 'volume=0.2'],
    ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-g', '50'],
    ...['-c:a', 'aac', '-ac', '2', '-movflags', '+faststart', video],
  ])
  return video
}
