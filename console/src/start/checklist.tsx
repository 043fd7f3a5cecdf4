import './start.css'
import { Accordion, Button, Group, Progress, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useState, type ComponentType } from 'react'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { Section } from '../ui/section.tsx'
import { EmbedStep } from './embed-step.tsx'
import { KeyStep } from './key-step.tsx'
import { stepNames, type StepName } from './kept-ticks.ts'
import { LiveStep } from './live-step.tsx'
import { PlayStep } from './play-step.tsx'
import { UploadStep } from './upload-step.tsx'
import { WebhookStep } from './webhook-step.tsx'

const screens: Readonly<Record<StepName, ComponentType>> = {
  play: PlayStep,
  embed: EmbedStep,
  upload: UploadStep,
  key: KeyStep,
  webhook: WebhookStep,
  live: LiveStep,
}

export const useOwnSteps = (): readonly StepName[] => {
  const can = useCan()
  const may: Readonly<Record<StepName, boolean>> = {
    play: true,
    embed: true,
    upload: can('files:upload'),
    key: can('keys:write'),
    webhook: can('webhooks:write'),
    live: can('live:keys'),
  }
  return stepNames.filter((name) => may[name])
}

/** The steps: beside the open one if there is room, otherwise above and below it. */
export const Checklist = ({
  ticks,
  onHide,
}: {
  readonly ticks: readonly StepName[]
  readonly onHide: () => void
}) => {
  const t = useTexts('start.checklist')
  const steps = useOwnSteps()
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const done = steps.filter((name) => ticks.includes(name))
  // The open step stays open when it is completed.
  const [open, setOpen] = useState<string | null>(() => steps.find((name) => !ticks.includes(name)) ?? null)
  const said = t('progress', { done: done.length, all: steps.length })
  const nextAfter = (name: StepName): StepName | undefined =>
    [...steps.slice(steps.indexOf(name) + 1), ...steps].find((one) => one !== name && !ticks.includes(one))
  return (
    <Section
      title={t('title')}
      description={<span role="status">{said}</span>}
      actions={
        <Button variant="subtle" size="compact-md" onClick={onHide}>
          {t('hide')}
        </Button>
      }
    >
      <Progress size="sm" value={(100 * done.length) / steps.length} color="green" aria-label={said} />
      <Accordion
        value={open}
        // A wide list without an open step would leave its place empty.
        onChange={(name) => setOpen(isWide ? (name ?? open) : name)}
        order={3}
        keepMounted={false}
        transitionDuration={0}
        classNames={{
          root: 'steps',
          item: 'steps-item',
          itemTitle: 'steps-title',
          control: 'steps-control',
          label: 'steps-label',
          chevron: 'steps-chevron',
          panel: 'steps-panel',
          content: 'steps-content',
        }}
      >
        {steps.map((name) => {
          const Step = screens[name]
          const isDone = ticks.includes(name)
          const next = nextAfter(name)
          return (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control
                icon={
                  isDone ? (
                    <IconCircleCheckFilled size={20} color="var(--mantine-color-green-6)" aria-hidden />
                  ) : (
                    <IconCircle size={20} color="var(--border-strong)" aria-hidden />
                  )
                }
              >
                {t(name)}
                {isDone && <VisuallyHidden>{` (${t('done')})`}</VisuallyHidden>}
              </Accordion.Control>
              <Accordion.Panel>
                <Step />
                {isDone && next !== undefined && (
                  <Group mt="md">
                    <Button variant="default" onClick={() => setOpen(next)}>
                      {t('next')}
                    </Button>
                  </Group>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
    </Section>
  )
}
