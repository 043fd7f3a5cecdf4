const number = String.raw`\d{1,4}(?:\.\d{1,6})?`

/** Cue settings and their valid values (W3C WebVTT 4.3). */
const settings: Record<string, RegExp> = {
  vertical: /^(?:rl|lr)$/,
  line: new RegExp(`^(?:-?\\d{1,4}|${number}%)(?:,(?:start|center|end))?$`),
  position: new RegExp(`^${number}%(?:,(?:line-left|center|line-right))?$`),
  size: new RegExp(`^${number}%$`),
  align: /^(?:start|center|end|left|right)$/,
  region: /^[\p{L}\p{N}_-]{1,100}$/u,
}

const regionSettings: Record<string, RegExp> = {
  id: /^[\p{L}\p{N}_-]{1,100}$/u,
  width: new RegExp(`^${number}%$`),
  lines: /^\d{1,3}$/,
  regionanchor: new RegExp(`^${number}%,${number}%$`),
  viewportanchor: new RegExp(`^${number}%,${number}%$`),
  scroll: /^up$/,
}

/** Drops unknown settings and invalid values, as players do. The last value of a repeated setting wins. */
const keptSettings = (text: string, known: Record<string, RegExp>): string[] => {
  const kept = new Map<string, string>()
  for (const word of text.split(/\s+/)) {
    const colon = word.indexOf(':')
    const name = word.slice(0, colon)
    const value = word.slice(colon + 1)
    if (Object.hasOwn(known, name) && known[name]?.test(value) === true) kept.set(name, value)
  }
  return [...kept].map(([name, value]) => `${name}:${value}`)
}

export const cleanCueSettings = (text: string): string => keptSettings(text, settings).join(' ')

/** Returns null for a region without an id, because no cue can refer to it. */
export const cleanRegion = (text: string): string | null => {
  const kept = keptSettings(text, regionSettings)
  return kept.some((setting) => setting.startsWith('id:')) ? kept.join('\n') : null
}
