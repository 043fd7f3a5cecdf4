import './sign-in.css'
import { Button, Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { currentLanguage, languages, setLanguage } from '../texts.ts'

/** Frame of all screens before the sign-in. */
export const SignInFrame = ({ children }: { readonly children: ReactNode }) => (
  <div className="sign-in">
    <div className="sign-in-brand">
      <img src="/icon.svg" alt="" width={32} height={32} />
      Zoetrope
    </div>
    <Paper withBorder p="xl" className="sign-in-card">
      {children}
    </Paper>
    <div className="sign-in-languages">
      {languages.map((language) => (
        <Button
          key={language}
          size="compact-sm"
          variant={language === currentLanguage() ? 'default' : 'subtle'}
          color="gray"
          lang={language}
          aria-pressed={language === currentLanguage()}
          onClick={() => void setLanguage(language)}
        >
          {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
        </Button>
      ))}
    </div>
  </div>
)
