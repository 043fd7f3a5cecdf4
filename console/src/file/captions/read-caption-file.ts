/** Decodes UTF-8, or Windows-1252 if invalid, because many SubRip files predate UTF-8. */
export const readCaptionText = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** `interview.de.srt` is German. Null without a language in the name. */
export const languageOfName = (name: string): string | null =>
  /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.(?:srt|vtt)$/i.exec(name)?.[1] ?? null
