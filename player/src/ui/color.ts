const channelsOf = (color: string): number[] => {
  const digits = color.slice(1)
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
}

/** WCAG 2.2, relative luminance. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns black or white, whichever contrasts more: one of the two always reaches 4.5 to 1. */
export const inkOn = (color: string): '#000' | '#fff' => {
  const light = luminance(color)
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000' : '#fff'
}

/** Sets styles through the DOM, because the page policy forbids inline styles. */
export const useColor = (page: HTMLElement, color: string): void => {
  page.style.setProperty('--color', color)
  page.style.setProperty('--ink', inkOn(color))
}
