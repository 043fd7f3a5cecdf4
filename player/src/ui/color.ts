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

/** Black or white, whichever is read better on the color: one of the two always has a contrast of 4.5 to 1. */
export const inkOn = (color: string): '#000' | '#fff' => {
  const light = luminance(color)
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000' : '#fff'
}

/** By the object model, because the policy of the page forbids styles in its text. */
export const useColor = (page: HTMLElement, color: string): void => {
  page.style.setProperty('--color', color)
  page.style.setProperty('--ink', inkOn(color))
}
