import './styles/code-block.css'
import { Code } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** Code, scrollable by keyboard, with a copy button beside it. */
export const CodeBlock = ({ code, onCopied }: { readonly code: string; readonly onCopied?: () => void }) => (
  <div className="code-block">
    <Code block tabIndex={0}>
      {code}
    </Code>
    <CopyButton text={code} onCopied={onCopied} />
  </div>
)
