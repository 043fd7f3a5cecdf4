const maxNameLength = 255

/** Returns the last path element of an uploaded name, without control characters; never empty. */
export const cleanFileName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(/\p{Cc}|\p{Cf}/gu, '')
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed()
  return clean === '' || clean === '.' || clean === '..' ? 'untitled' : clean
}

/** Returns the `Name` of the record: unique, and safe in paths and URLs. */
export const storedFileName = (projectId: number, fileId: number, originalFileName: string): string =>
  `${projectId}/${fileId}/${originalFileName.replace(/[^\p{L}\p{N}._-]+/gu, '_')}`

export const titleFromFileName = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,5}$/, '') || name
