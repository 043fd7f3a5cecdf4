/** Replaces `./zoetrope` in messages by the command name that the launcher passes in. */
export const asCalled = (text: string, { ZOETROPE_CALLED_AS: name }: NodeJS.ProcessEnv): string =>
  name === undefined ? text : text.replaceAll('./zoetrope ', () => `${name} `)
