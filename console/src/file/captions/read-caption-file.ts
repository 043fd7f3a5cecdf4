/** Many SubRip files are older than UTF-8; what is no UTF-8 is taken for the code page of Western Europe. */
export const readCaptionText = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** `interview.de.srt` is in German; null where the name says nothing. */
export const languageOfName = (name: string): string | null =>
  /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.(?:srt|vtt)$/i.exec(name)?.[1] ?? null
