import { ActionIcon, Drawer, Group, Stack, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../shell/texts.ts'

const Step = ({
  label,
  onStep,
  children,
}: {
  readonly label: string
  readonly onStep: (() => void) | null
  readonly children: ReactNode
}) => (
  <Tooltip label={label}>
    {/* `disabled` would take the focus away from the button that led to the last entry. */}
    <ActionIcon
      variant="default"
      aria-label={label}
      aria-disabled={onStep === null}
      {...(onStep === null && { 'data-disabled': true })}
      onClick={() => onStep?.()}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)

/** The details of an entry beside its list. */
export const DetailDrawer = ({
  isOpen,
  onClose,
  title,
  status,
  actions,
  onPrevious,
  onNext,
  children,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly status?: ReactNode
  readonly actions?: ReactNode
  /** Null = this is the first entry. Undefined = no list. */
  readonly onPrevious?: (() => void) | null
  /** Null = this is the last entry. Undefined = no list. */
  readonly onNext?: (() => void) | null
  readonly children: ReactNode
}) => {
  const t = useTexts('ui.detailDrawer')
  const hasSteps = onPrevious !== undefined || onNext !== undefined
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="min(42rem, 100vw)" title={title}>
      <Stack>
        {(status != null || actions != null || hasSteps) && (
          <Group justify="space-between" gap="xs">
            <Group gap="xs">{status}</Group>
            <Group gap="xs">
              {actions}
              {hasSteps && (
                <>
                  <Step label={t('previous')} onStep={onPrevious ?? null}>
                    <IconChevronUp size={16} aria-hidden />
                  </Step>
                  <Step label={t('next')} onStep={onNext ?? null}>
                    <IconChevronDown size={16} aria-hidden />
                  </Step>
                </>
              )}
            </Group>
          </Group>
        )}
        {children}
      </Stack>
    </Drawer>
  )
}
