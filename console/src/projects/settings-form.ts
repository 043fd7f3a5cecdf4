import type { Project } from '@zoetrope/sdk'
import type { zoetrope } from '../shell/api.ts'

type Change = Parameters<typeof zoetrope.projects.update>[1]
export type MetadataField = Project['MetadataFields'][number]
export type FieldType = MetadataField['Type']
type Codec = NonNullable<Project['EncoderSettings']['VideoCodecs']>[number]
type LadderMode = NonNullable<Project['EncoderSettings']['LadderMode']>

export const ladderModes = ['eager', 'on-demand', 'auto'] as const satisfies readonly LadderMode[]

/** Keys of the texts. */
export const ladderModeText = {
  eager: 'ladderEager',
  'on-demand': 'ladderOnDemand',
  auto: 'ladderAuto',
} as const satisfies Record<LadderMode, string>

const bytesPerGigabyte = 1_000_000_000

export interface RungForm {
  readonly height: number | string
  readonly kilobitsPerSecond: number | string
}

export interface FieldForm {
  readonly name: string
  readonly type: FieldType
  readonly isRequired: boolean
  readonly values: string[]
  /** As text. List items are separated by commas. */
  readonly default: string
}

export interface SettingsForm {
  Name: string
  Description: string
  DefaultReleaseStatus: Project['DefaultReleaseStatus']
  TokenSecurity: boolean
  AllowedDomains: string[]
  AnalyticsDimensions: string[]
  /** Empty = the default of the player. */
  playerColor: string
  hasHeatMap: boolean
  quotaGigabytes: number | string
  UseEncoding: boolean
  EncodingPriority: number | string
  codecs: Codec[]
  NormalizeLoudness: boolean
  KeepOriginal: boolean
  LadderMode: LadderMode
  rungs: RungForm[]
  fields: FieldForm[]
}

const fieldFormOf = ({ Name, Type, IsRequired, Values, Default }: MetadataField): FieldForm => ({
  name: Name,
  type: Type,
  isRequired: IsRequired === true,
  values: Values ?? [],
  default: Default == null ? '' : Array.isArray(Default) ? Default.join(', ') : String(Default),
})

export const formOf = (project: Project): SettingsForm => {
  const { EncoderSettings: encoder, StorageQuotaBytes: quota } = project
  return {
    Name: project.Name,
    Description: project.Description,
    DefaultReleaseStatus: project.DefaultReleaseStatus,
    TokenSecurity: project.TokenSecurity,
    AllowedDomains: project.AllowedDomains,
    AnalyticsDimensions: project.AnalyticsDimensions,
    playerColor: project.PlayerTheme.Color ?? '',
    hasHeatMap: project.PlayerTheme.HasHeatMap,
    quotaGigabytes: quota === null ? '' : quota / bytesPerGigabyte,
    UseEncoding: encoder.UseEncoding ?? true,
    EncodingPriority: encoder.EncodingPriority ?? 50,
    codecs: encoder.VideoCodecs ?? ['h264'],
    NormalizeLoudness: encoder.NormalizeLoudness ?? false,
    KeepOriginal: encoder.KeepOriginal ?? true,
    LadderMode: encoder.LadderMode ?? 'auto',
    rungs: (encoder.Renditions ?? []).map(({ Height, VideoBitRate }) => ({
      height: Height,
      kilobitsPerSecond: VideoBitRate === undefined ? '' : VideoBitRate / 1_000,
    })),
    fields: project.MetadataFields.map(fieldFormOf),
  }
}

const defaultOf = ({ type, default: text }: FieldForm): NonNullable<MetadataField['Default']> | null => {
  if (text === '') return null
  if (type === 'boolean') return text === 'true'
  // Invalid numbers are sent as text, so that the API reports the field.
  if (type === 'number' || type === 'integer') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type !== 'list') return text
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

const fieldOf = (field: FieldForm): MetadataField => {
  const hasValues = (field.type === 'string' || field.type === 'list') && field.values.length > 0
  return {
    Name: field.name,
    Type: field.type,
    IsRequired: field.isRequired,
    Values: hasValues ? field.values : null,
    Default: defaultOf(field),
  }
}

/** Users may type `#abc`, but the API requires `#aabbcc`. */
const longHex = (color: string): string =>
  color.replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/i, '#$1$1$2$2$3$3')

const bodyOf = (form: SettingsForm) => ({
  Name: form.Name,
  Description: form.Description,
  DefaultReleaseStatus: form.DefaultReleaseStatus,
  TokenSecurity: form.TokenSecurity,
  AllowedDomains: form.AllowedDomains,
  AnalyticsDimensions: form.AnalyticsDimensions,
  PlayerTheme: {
    Color: form.playerColor === '' ? null : longHex(form.playerColor),
    HasHeatMap: form.hasHeatMap,
  },
  StorageQuotaBytes:
    form.quotaGigabytes === '' ? null : Math.round(Number(form.quotaGigabytes) * bytesPerGigabyte),
  EncoderSettings: {
    UseEncoding: form.UseEncoding,
    EncodingPriority: Number(form.EncodingPriority),
    VideoCodecs: form.codecs,
    NormalizeLoudness: form.NormalizeLoudness,
    KeepOriginal: form.KeepOriginal,
    LadderMode: form.LadderMode,
    Renditions: form.rungs.map(({ height, kilobitsPerSecond }) => ({
      Height: Number(height),
      ...(kilobitsPerSecond === '' ? {} : { VideoBitRate: Math.round(Number(kilobitsPerSecond) * 1_000) }),
    })),
  },
  MetadataFields: form.fields.map(fieldOf),
})

/** Returns only changed fields, so that two users can change different settings at once. */
export const changesOf = (before: SettingsForm, after: SettingsForm): Change => {
  const was = Object.entries(bodyOf(before))
  const is: Readonly<Record<string, unknown>> = bodyOf(after)
  return Object.fromEntries(
    was.flatMap(([name, value]) =>
      JSON.stringify(value) === JSON.stringify(is[name]) ? [] : [[name, is[name]]],
    ),
  )
}
