/** `de` matches `de-AT`, and `de-AT` matches `de`. */
export const speaks = (language: string, wanted: string): boolean => {
  const [has, wants] = [language.toLowerCase(), wanted.toLowerCase()]
  return has !== '' && (has === wants || has.startsWith(`${wants}-`) || wants.startsWith(`${has}-`))
}
