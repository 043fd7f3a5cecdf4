import type { MediaFile, Project } from '@zoetrope/sdk'
import {
  AspectRatio,
  Button,
  ColorInput,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Switch,
  Text,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import {
  defaultOptions,
  embedUrl,
  frameCode,
  oembedUrl,
  scriptCode,
  type EmbedOptions,
} from '../../ui/embed/embed-code.ts'
import { Disclosure } from '../../ui/forms/disclosure.tsx'
import { ownUrl } from '../../ui/embed/own-url.ts'
import { playerColors } from '../../ui/embed/player-colors.ts'
import { Section } from '../../ui/section.tsx'
import { playoutQuery } from '../file-query.ts'
import { languageName } from '../languages.ts'

const switches = ['isResponsive', 'autoplay', 'muted', 'loop', 'hasControls'] as const
const switchWords = {
  isResponsive: 'responsive',
  autoplay: 'autoplay',
  muted: 'muted',
  loop: 'loop',
  hasControls: 'controls',
} as const

const captionLanguages = ({ Captions }: MediaFile): string[] => [
  ...new Set(Captions.filter(({ Kind }) => Kind !== 'chapters').map(({ Language }) => Language)),
]

export const EmbedPanel = ({ file, project }: { readonly file: MediaFile; readonly project: Project }) => {
  const t = useTexts('file.embed')
  const { data: playout } = useQuery({ ...playoutQuery(file), enabled: file.IsPlayable })
  const [options, setOptions] = useState(defaultOptions)
  const [form, setForm] = useState<'frame' | 'script'>('frame')
  const [preview, setPreview] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const embedUri = playout?.EmbedURI ?? null
  if (playout == null || embedUri === null)
    return (
      <Section title={t('code')}>
        <Text size="sm">{t('waiting')}</Text>
      </Section>
    )
  const change = (changed: Partial<EmbedOptions>): void => setOptions({ ...options, ...changed })
  const { VideoWidth, VideoHeight } = file.Properties ?? {}
  const ratio = VideoWidth && VideoHeight ? ([VideoWidth, VideoHeight] as const) : ([16, 9] as const)
  const shape = { title: file.Metadata.DisplayTitle || file.Metadata.Title || file.Name, ratio }
  const code = form === 'frame' ? frameCode(embedUri, shape, options) : scriptCode(embedUri, shape, options)
  const tryUrl = embedUrl(ownUrl(playout.Preview.EmbedURI ?? embedUri), options)
  return (
    <Section
      title={t('code')}
      actions={
        <SegmentedControl
          aria-label={t('form')}
          size="xs"
          value={form}
          onChange={(value) => setForm(value === 'script' ? 'script' : 'frame')}
          data={[
            { value: 'frame', label: t('frame') },
            { value: 'script', label: t('script') },
          ]}
        />
      }
    >
      {project.AllowedDomains.length > 0 && (
        <Text size="sm">{t('domains', { domains: project.AllowedDomains.join(', ') })}</Text>
      )}
      <CodeBlock code={code} />
      <Disclosure label={t('options')} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {switches.map((name) => (
            <Switch
              key={name}
              label={t(switchWords[name])}
              description={name === 'autoplay' ? t('autoplayAdvice') : undefined}
              checked={options[name]}
              onChange={(event) => change({ [name]: event.currentTarget.checked })}
            />
          ))}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label={t('start')}
            min={0}
            max={file.Properties?.Length ?? 86_400}
            value={options.startSeconds}
            onChange={(value) => change({ startSeconds: Number(value) || 0 })}
          />
          <Select
            label={t('captions')}
            data={[
              { value: '', label: t('captionsAuto') },
              { value: 'off', label: t('captionsOff') },
              ...captionLanguages(file).map((tag) => ({
                value: tag,
                label: languageName(tag),
              })),
            ]}
            value={options.captions}
            allowDeselect={false}
            onChange={(value) => change({ captions: value ?? '' })}
          />
          <ColorInput
            label={t('color')}
            description={t('colorAdvice')}
            value={options.color}
            withEyeDropper={false}
            swatches={playerColors}
            onChange={(color) => change({ color })}
          />
          {!options.isResponsive && form === 'frame' && (
            <NumberInput
              label={t('width')}
              min={160}
              max={7_680}
              value={options.widthPixels}
              onChange={(value) => change({ widthPixels: Number(value) || 640 })}
            />
          )}
        </SimpleGrid>
        <Group>
          <Button variant="default" onClick={() => setPreview(tryUrl)}>
            {preview === null ? t('try') : t('again')}
          </Button>
        </Group>
        {preview !== null && (
          <AspectRatio ratio={ratio[0] / ratio[1]} maw={640}>
            {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs our origin for what it plays */}
            <iframe
              key={preview}
              src={preview}
              title={t('preview')}
              allow="autoplay; fullscreen; picture-in-picture"
              className="file-player"
            />
          </AspectRatio>
        )}
        <CopyField label={t('oembed')} value={oembedUrl(embedUri)} />
      </Disclosure>
    </Section>
  )
}
