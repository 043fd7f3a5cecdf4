import './partners.css'
import { Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { presetNames, type Preset } from './presets.ts'

/** One card for each provider; a click begins to connect it. */
export const ProviderCards = ({ onChoose }: { readonly onChoose: (preset: Preset) => void }) => {
  const t = useTexts('account.partners')
  return (
    <div className="provider-cards">
      {presetNames.map((name) => (
        <UnstyledButton key={name} className="provider-card" onClick={() => onChoose(name)}>
          <span>
            <Text fw={550} size="sm" component="span" display="block">
              {t(`preset-${name}`)}
            </Text>
            <Text size="xs" c="dimmed" component="span" display="block">
              {t(`about-${name}`)}
            </Text>
          </span>
          <IconChevronRight size={16} color="var(--text-muted)" aria-hidden />
        </UnstyledButton>
      ))}
    </div>
  )
}
