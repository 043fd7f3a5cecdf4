import { readdir, readFile } from 'node:fs/promises'

export interface Picture {
  readonly svg: string
  /** In CSS pixels, so that the page keeps its layout while the picture loads. */
  readonly width: number
  readonly height: number
}

const sizeOf = (svg: string): Pick<Picture, 'width' | 'height'> => {
  const [, width = '0', height = '0'] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  return { width: Number(width), height: Number(height) }
}

/** Reads the diagrams of the pages by their file names. */
export const readPictures = async (folder: URL): Promise<Map<string, Picture>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.svg'))
  const pictures = await Promise.all(
    names.map(async (name): Promise<[string, Picture]> => {
      const svg = await readFile(new URL(name, folder), 'utf8')
      return [name, { svg, ...sizeOf(svg) }]
    }),
  )
  return new Map(pictures)
}
