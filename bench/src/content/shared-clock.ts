/** CLOCK_MONOTONIC, which all processes of a machine share. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / 1e6
