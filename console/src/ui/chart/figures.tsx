import './chart.css'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The main values of a screen side by side, two beside each other on a phone. */
export const Figures = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <dl className="figures" aria-label={label}>
    {children}
  </dl>
)

export const Figure = ({
  label,
  value,
  isBad = false,
  children,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly isBad?: boolean
  /** What the value is made of, in a few words. */
  readonly children?: ReactNode
}) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Text fz="xl" fw={600} component="span" {...(isBad && { c: 'var(--tone-danger)' })}>
        {value}
      </Text>
      {children != null && (
        <Text size="xs" c="dimmed" component="div">
          {children}
        </Text>
      )}
    </dd>
  </div>
)
