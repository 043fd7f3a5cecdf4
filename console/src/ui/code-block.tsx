import { Box, Code } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** Code with a copy button, scrollable by keyboard. */
export const CodeBlock = ({ code, onCopied }: { readonly code: string; readonly onCopied?: () => void }) => (
  <Box pos="relative">
    <Code block tabIndex={0} pe={48}>
      {code}
    </Code>
    <Box
      pos="absolute"
      top={4}
      right={4}
      bg="var(--mantine-color-body)"
      style={{ borderRadius: 'var(--mantine-radius-sm)' }}
    >
      <CopyButton text={code} onCopied={onCopied} />
    </Box>
  </Box>
)
