import './styles/state.css'
import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

const pictures = {
  /** A drum with slits, like the first zoetropes: videos, files, playlists. */
  film: (
    <>
      <path d="M36 34v34c0 8 11 14 24 14s24-6 24-14V34" />
      <ellipse cx="60" cy="34" rx="24" ry="11" />
      <path className="state-accent" d="M44 54v12M54 57v12M66 57v12M76 54v12" />
    </>
  ),
  search: (
    <>
      <circle cx="55" cy="50" r="20" />
      <path d="m70 65 16 16" />
      <path className="state-accent" d="M46 50h18" />
    </>
  ),
  signal: (
    <>
      <circle className="state-accent" cx="60" cy="54" r="6" />
      <path d="M47 67a18 18 0 0 1 0-26M73 41a18 18 0 0 1 0 26M37 77a32 32 0 0 1 0-46M83 31a32 32 0 0 1 0 46" />
    </>
  ),
  box: (
    <>
      <path d="m34 44 26-14 26 14-26 14zM34 44v26l26 14 26-14V44M60 58v26" />
      <path className="state-accent" d="m47 37 26 14v10" />
    </>
  ),
  people: (
    <>
      <circle cx="52" cy="44" r="11" />
      <path d="M32 78c0-12 9-19 20-19s20 7 20 19" />
      <path className="state-accent" d="M70 35a11 11 0 0 1 0 19M78 62c6 3 10 9 10 16" />
    </>
  ),
  key: (
    <>
      <circle cx="48" cy="48" r="13" />
      <path d="m58 58 26 26" />
      <path className="state-accent" d="m72 72 7-7M80 80l6-6" />
    </>
  ),
  done: (
    <>
      <circle cx="60" cy="56" r="24" />
      <path className="state-accent" d="m49 57 8 8 15-17" />
    </>
  ),
  link: (
    <>
      <path d="m50 52-9 9a11 11 0 0 0 15 15l8-8M70 56l9-9a11 11 0 0 0-15-15l-8 8" />
      <path className="state-accent" d="M44 43l-6-6M76 65l6 6M50 38v-7M70 70v7" />
    </>
  ),
  problem: (
    <>
      <path d="M60 30 88 80H32z" />
      <path className="state-accent" d="M60 49v14M60 71v.5" />
    </>
  ),
} as const

export type StatePicture = keyof typeof pictures

export const statePictures = Object.keys(pictures) as StatePicture[]

/** Shown in place of a list without entries: what belongs here, and the next step. */
export const EmptyState = ({
  picture = 'box',
  title,
  level = 2,
  role,
  children,
  action,
}: {
  readonly picture?: StatePicture
  readonly title: string
  /** Level of the heading. */
  readonly level?: 1 | 2
  readonly role?: 'alert'
  /** One sentence. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}) => (
  <div className="state" data-picture={picture} role={role}>
    <svg viewBox="0 0 120 108" width="120" height="108" aria-hidden>
      <circle className="state-ground" cx="60" cy="54" r="52" />
      {pictures[picture]}
    </svg>
    <Title order={level} size="h3">
      {title}
    </Title>
    {children != null && (
      <Text c="dimmed" maw={420} component="div">
        {children}
      </Text>
    )}
    {action != null && <div className="state-action">{action}</div>}
  </div>
)
