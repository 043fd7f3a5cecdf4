import type { MediaFile } from '@zoetrope/sdk'

type Caption = MediaFile['Captions'][number]

export const captionKinds = ['subtitles', 'captions', 'chapters'] as const

/** Captions with their text, which has a URL of its own. */
export interface OpenCaption {
  readonly record: Caption
  readonly text: string
}

export interface CaptionValues {
  readonly Language: string
  readonly Label: string
  readonly Kind: Caption['Kind']
  readonly IsDefault: boolean
  readonly Content: string
}

export const valuesOf = ({ record, text }: OpenCaption): CaptionValues => ({
  Language: record.Language,
  Label: record.Label,
  Kind: record.Kind,
  IsDefault: record.IsDefault,
  Content: text,
})

/** The changed fields as the API takes them. `kind` is that of the captions after the change. */
export const bodyOf = <Changed extends Partial<CaptionValues>>(changed: Changed, kind: Caption['Kind']) => ({
  ...changed,
  ...(changed.Language !== undefined && { Language: changed.Language.trim() }),
  ...(changed.Label !== undefined && { Label: changed.Label.trim() || null }),
  // The player shows chapters in any case.
  ...(kind === 'chapters' && { IsDefault: false }),
})

/** Two texts from the first line in which they differ. Captions can have thousands of lines. */
export const fromFirstDifference = (text: string, other: string): { line: number; rest: string } => {
  const lines = text.split('\n')
  const others = other.split('\n')
  const found = lines.findIndex((one, place) => one !== others[place])
  const place = found === -1 ? lines.length : found
  return { line: place + 1, rest: lines.slice(place, place + 6).join('\n') }
}
