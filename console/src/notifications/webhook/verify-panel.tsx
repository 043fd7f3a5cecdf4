import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import page from '../../../../docs/verify-webhooks.md?raw'
import { useTexts } from '../../shell/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

/** Headings of the guide, whose programs are tested, with the command to start each program. */
const languages = {
  'Node.js': 'node receiver.mjs',
  Python: 'python3 receiver.py',
  PHP: 'php -S 127.0.0.1:3000 receiver.php',
  Go: 'go run receiver.go',
} as const

type Language = keyof typeof languages
const names = Object.keys(languages) as Language[]

const programOf = (language: Language): string => {
  const section = page.split(`\n## ${language}\n`)[1] ?? ''
  return /```\w+\n([^]*?)```/.exec(section)?.[1]?.trimEnd() ?? ''
}

export const VerifyPanel = ({ lastFour }: { readonly lastFour: string }) => {
  const t = useTexts('notifications.verifyPanel')
  const [language, setLanguage] = useState<Language>('Node.js')
  return (
    <Stack>
      <Text maw={700}>{t('about')}</Text>
      <Text size="sm">{t('secret', { lastFour })}</Text>
      <SegmentedControl
        aria-label={t('language')}
        value={language}
        data={names}
        onChange={(name) => setLanguage(names.find((one) => one === name) ?? 'Node.js')}
      />
      <CodeBlock code={`WEBHOOK_SECRET='whsec_…${lastFour}' ${languages[language]}`} />
      <CodeBlock code={programOf(language)} />
    </Stack>
  )
}
