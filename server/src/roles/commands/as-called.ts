/** Our sentences say `./zoetrope`; who reads them sees what can be typed here, which the launcher tells. */
export const asCalled = (text: string, { ZOETROPE_CALLED_AS: name }: NodeJS.ProcessEnv): string =>
  name === undefined ? text : text.replaceAll('./zoetrope ', () => `${name} `)
