const space = 'http://www.w3.org/2000/svg'
const heightPixels = 36
/** Above the rail, whose hover height is 7 pixels in a bar of 24. */
const bottomPixels = 15
/** Half the width of the thumb: the rail begins there. */
const insetPixels = 7

/** A filled curve through the middles of the parts, in a box of one by one. */
export const heatPath = (parts: readonly number[]): string => {
  const points = [parts[0] ?? 0, ...parts, parts.at(-1) ?? 0]
  const xOf = (index: number): number => Math.min(1, Math.max(0, (index - 0.5) / parts.length))
  const curve = points.map((share, index) => `L${xOf(index).toFixed(4)} ${(1 - share).toFixed(2)}`)
  return `M0 1${curve.join('')}L1 1Z`
}

const load = async (url: string): Promise<readonly number[]> => {
  const response = await fetch(url)
  return response.ok ? ((await response.json()) as { Parts: readonly number[] }).Parts : []
}

/** Shows the most played parts above the seek bar while a pointer is on it. */
export const showHeat = async (bar: HTMLElement, url: string): Promise<void> => {
  const parts = await load(url).catch(() => [])
  if (parts.length === 0) return
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 1 1')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  svg.classList.add('heat')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', heatPath(parts))
  svg.append(path)
  Object.assign(svg.style, {
    ...{ position: 'absolute', left: `${insetPixels}px`, bottom: `${bottomPixels}px` },
    ...{ width: `calc(100% - ${2 * insetPixels}px)`, height: `${heightPixels}px` },
    ...{ fill: 'rgb(255 255 255 / 45%)', pointerEvents: 'none' },
  })
  // Below the preview, which moves up.
  bar.prepend(svg)
  const look = bar.querySelector<HTMLElement>('.look')
  look?.style.setProperty('bottom', `${bottomPixels + heightPixels + 2}px`)
  const show = (isShown: boolean): void => {
    svg.style.visibility = isShown ? 'visible' : 'hidden'
  }
  show(bar.matches(':hover'))
  bar.addEventListener('pointerenter', () => show(true))
  bar.addEventListener('pointerleave', () => show(false))
}
