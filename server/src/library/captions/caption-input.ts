import { Type, type Static } from 'typebox'
import { kindMeaning, type FileCaptionRow } from '../files/record/parts/caption-record.ts'
import { nullable } from '../../platform/http/requests/schemas.ts'
import { binarySchema } from '../../platform/http/requests/streamed-body.ts'
import { invalidField, invalidValue, Problem } from '../../platform/base/problem.ts'
import { CaptionError } from './text/caption-cues.ts'
import { canonicalLanguage, languageName } from './caption-language.ts'
import type { CaptionFields } from './caption-store.ts'
import { checkChapters } from './chapters.ts'
import { decodeCaptions, parseCaptions, parseChapters } from './text/parse-captions.ts'
import { writeWebVtt } from './text/write-web-vtt.ts'

export const textLimit = { maxBytes: 5 * 1024 * 1024, maxText: '5 MiB' } as const
/** JSON escapes line ends and quotes with two characters. */
export const jsonLimitBytes = 2 * textLimit.maxBytes

const label = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name in the caption menu of the player. Default: the name of the language in that language.',
})
const language = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'Language tag (BCP 47), such as en, de or pt-BR. A file has one track of each kind in a language.',
})
const kinds = ['subtitles', 'captions', 'chapters'] as const
const kind = Type.Union([Type.Literal('subtitles'), Type.Literal('captions'), Type.Literal('chapters')], {
  description: `${kindMeaning} Default \`subtitles\`.`,
})
const isDefault = Type.Boolean({
  description:
    'Whether the player shows this track until the viewer picks another. At most one track of a file, and never chapters. Default false.',
})
const content = Type.String({
  maxLength: jsonLimitBytes,
  description: `The text as WebVTT or SubRip, at most ${textLimit.maxText}. Chapters are WebVTT with one cue per chapter: at most 500, with titles of at most 200 characters.`,
})

const example = {
  Language: 'en',
  Label: 'English',
  Kind: 'subtitles',
  IsDefault: true,
  Content: 'WEBVTT\n\n00:00:01.000 --> 00:00:04.500\nWelcome to the show.\n',
}

export const createCaptionSchema = Type.Object(
  {
    Language: language,
    Label: Type.Optional(nullable(label)),
    Kind: Type.Optional(nullable(kind)),
    IsDefault: Type.Optional(nullable(isDefault)),
    Content: content,
  },
  { description: 'A new caption track with its text.', examples: [example] },
)
export type CreateCaption = Static<typeof createCaptionSchema>

export const updateCaptionSchema = Type.Object(
  {
    Language: Type.Optional(language),
    Label: Type.Optional(nullable(label)),
    Kind: Type.Optional(nullable(kind)),
    IsDefault: Type.Optional(nullable(isDefault)),
    Content: Type.Optional(content),
  },
  {
    description: 'A partial update. Absent fields keep their values; null restores the default.',
    examples: [{ Label: 'English (UK)', IsDefault: true }],
  },
)
export type UpdateCaption = Static<typeof updateCaptionSchema>

export const captionText = binarySchema(textLimit.maxBytes, 'WebVTT or SubRip in UTF-8.')

export const captionForm = Type.Object({
  Language: language,
  Label: Type.Optional(label),
  Kind: Type.Optional(kind),
  IsDefault: Type.Optional(isDefault),
  file: captionText,
})

export const rawCaptionQuery = Type.Object({
  language: Type.Optional(
    Type.String({ maxLength: 100, description: 'For raw text: language tag (BCP 47).' }),
  ),
  label: Type.Optional(
    Type.String({ maxLength: 100, description: 'For raw text: name in the caption menu of the player.' }),
  ),
  kind: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: [...kinds],
      description: 'For raw text: kind of track. Default `subtitles`.',
    }),
  ),
  isDefault: Type.Optional(
    Type.Boolean({ description: 'For raw text: whether the player shows this track first. Default false.' }),
  ),
})
export type RawCaptionQuery = Static<typeof rawCaptionQuery>

const cleanLabel = (text: string | null | undefined, ofLanguage: string): string => {
  const cleaned = (text ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return cleaned === '' ? languageName(ofLanguage) : cleaned
}

export const fieldsOf = (body: Omit<CreateCaption, 'Content'>): CaptionFields => {
  const tag = canonicalLanguage(body.Language, 'Language')
  return checkedDefault({
    language: tag,
    kind: body.Kind ?? 'subtitles',
    label: cleanLabel(body.Label, tag),
    isDefault: body.IsDefault ?? false,
  })
}

const checkedDefault = (fields: CaptionFields): CaptionFields => {
  if (fields.kind === 'chapters' && fields.isDefault)
    throw invalidField('IsDefault', 'chapters_cannot_be_default')
  return fields
}

export const changedFields = (before: FileCaptionRow, body: UpdateCaption): CaptionFields => {
  const tag = body.Language === undefined ? before.language : canonicalLanguage(body.Language, 'Language')
  const hasOwnLabel = before.label !== languageName(before.language)
  const kept = hasOwnLabel ? before.label : null
  const changedKind = kindAfter(before, body)
  if (changedKind === 'chapters' && before.kind !== 'chapters' && body.Content === undefined)
    throw invalidField('Content', 'chapters_text_missing')
  const isDefaultStill = before.is_default && changedKind !== 'chapters'
  return checkedDefault({
    language: tag,
    kind: changedKind,
    label: cleanLabel(body.Label === undefined ? kept : body.Label, tag),
    isDefault: body.IsDefault === undefined ? isDefaultStill : (body.IsDefault ?? false),
  })
}

export const kindAfter = (
  before: Pick<FileCaptionRow, 'kind'>,
  { Kind }: Pick<UpdateCaption, 'Kind'>,
): FileCaptionRow['kind'] => (Kind === undefined ? before.kind : (Kind ?? 'subtitles'))

/** Returns the checked fields of an upload. Form fields take precedence over query parameters. */
export const fieldsOfRaw = (query: RawCaptionQuery, form: ReadonlyMap<string, string>): CaptionFields => {
  const languageSent = form.get('Language') ?? query.language
  if (languageSent === undefined) throw invalidField('language', 'caption_language_missing')
  const kindSent = form.get('Kind') ?? query.kind ?? 'subtitles'
  const known = kinds.find((one) => one === kindSent)
  if (known === undefined) throw invalidField('Kind', 'not_one_of', { values: kinds.join(', ') })
  const defaultSent = form.get('IsDefault') ?? String(query.isDefault ?? false)
  if (defaultSent !== 'true' && defaultSent !== 'false') throw invalidField('IsDefault', 'not_boolean')
  const labelSent = form.get('Label') ?? query.label
  if (labelSent !== undefined && Array.from(labelSent).length > 100)
    throw invalidField('Label', 'too_many_characters', { max: 100 })
  return fieldsOf({
    Language: languageSent,
    Kind: known,
    IsDefault: defaultSent === 'true',
    Label: labelSent ?? null,
  })
}

const checkSize = (text: string | Buffer): void => {
  if (Buffer.byteLength(text) > textLimit.maxBytes)
    throw new Problem('caption_too_large', { limit: textLimit.maxText })
}

/**
 * Returns the text as sanitized WebVTT, as it is stored. Throws 'invalid' with the line number, or
 * 'too_large'.
 */
export const cleanCaptions = (sent: string | Buffer, ofKind: FileCaptionRow['kind']): string => {
  checkSize(sent)
  try {
    const text = typeof sent === 'string' ? sent : decodeCaptions(sent)
    const document = ofKind === 'chapters' ? parseChapters(text) : parseCaptions(text)
    if (ofKind === 'chapters') checkChapters(document)
    const cleaned = writeWebVtt(document)
    // Escaping can make a text five times as long.
    checkSize(cleaned)
    return cleaned
  } catch (error) {
    if (!(error instanceof CaptionError)) throw error
    throw invalidValue('Content', error.issue)
  }
}
