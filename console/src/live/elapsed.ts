export const secondsSince = (instant: string, now: number): number =>
  Math.max(0, (now - new Date(instant).getTime()) / 1_000)
