const MiB = 1024 * 1024

/** Above this, uploads of this process store what they have gathered instead of waiting for a whole part. */
const limitBytes = 256 * MiB
const worthStoringBytes = MiB

let totalBytes = 0

/** Memory that the uploads of this process fill. */
export const bufferedBytes = {
  open: () => {
    let ownBytes = 0
    const add = (count: number): void => {
      ownBytes += count
      totalBytes += count
    }
    return {
      add,
      sub: (count: number) => add(-count),
      isTooMuch: (gatheredBytes: number): boolean =>
        totalBytes > limitBytes && gatheredBytes >= worthStoringBytes,
      close: () => add(-ownBytes),
    }
  },
}
