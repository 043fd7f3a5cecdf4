import { Group, Text, Title } from '@mantine/core'
import type { CSSProperties } from 'react'

export const Type = () => (
  <>
    {([1, 2, 3, 4] as const).map((order) => (
      <Title key={order} order={order}>
        Heading {order}: 0123456789
      </Title>
    ))}
    {(['lg', 'md', 'sm', 'xs'] as const).map((size) => (
      <Text key={size} size={size}>
        Text {size}: every frame of 1,234 files, ÄÖÜß Łódź.{' '}
        <Text span c="dimmed" inherit>
          Muted.
        </Text>
      </Text>
    ))}
    <Text ff="monospace" size="sm">
      Monospace: evt_01HZX 0:05
    </Text>
  </>
)

const surfaces = [
  'surface',
  'surface-sunken',
  'surface-raised',
  'surface-hover',
  'surface-selected',
  'border',
  'border-strong',
] as const
const tones = ['tone-ok', 'tone-busy', 'tone-warning', 'tone-danger', 'tone-neutral', 'tone-live'] as const
const accents = [
  'mantine-color-accent-1',
  'mantine-color-accent-4',
  'mantine-color-accent-8',
  'mantine-color-anchor',
] as const

export const Colours = () => (
  <div className="design-swatches">
    {[...accents, ...surfaces, ...tones].map((name) => (
      <div key={name} className="design-swatch" style={{ '--swatch': `var(--${name})` } as CSSProperties}>
        {name}
      </div>
    ))}
  </div>
)

export const Shapes = () => (
  <>
    <Group>
      {(['xs', 'sm', 'md', 'lg', 'xl'] as const).map((size) => (
        <div key={size} className="design-tile" style={{ borderRadius: `var(--mantine-radius-${size})` }}>
          radius {size}
        </div>
      ))}
    </Group>
    <Group>
      {[1, 2, 3].map((level) => (
        <div key={level} className="design-tile" style={{ boxShadow: `var(--elevation-${level})` }}>
          elevation {level}
        </div>
      ))}
    </Group>
  </>
)
