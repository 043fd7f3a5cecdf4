/** Languages of e-mails, like those of the console. */
export const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]

export const isMailLanguage = (value: unknown): value is MailLanguage =>
  mailLanguages.some((language) => language === value)

/** Values of each kind of e-mail. Instants are ISO 8601; the text shows them in its language. */
export interface MailParams {
  readonly invitation: {
    readonly account: string
    readonly inviter: string
    readonly link: string
    readonly expiresAt: string
  }
  readonly 'password-link': { readonly account: string; readonly link: string; readonly expiresAt: string }
  readonly 'new-sign-in': {
    readonly at: string
    readonly address: string
    readonly browser: string
    readonly link: string
  }
  readonly 'key-created': {
    readonly label: string
    readonly creator: string
    readonly at: string
    readonly address: string
    readonly link: string
  }
  readonly 'app-added': { readonly at: string; readonly address: string; readonly link: string }
  readonly 'passkey-added': {
    readonly name: string
    readonly at: string
    readonly address: string
    readonly link: string
  }
  readonly 'codes-refused': { readonly at: string; readonly address: string; readonly link: string }
  readonly 'password-changed': { readonly at: string; readonly address: string; readonly link: string }
  readonly 'email-changed': {
    readonly changer: string
    readonly email: string
    readonly at: string
    readonly address: string
  }
  readonly 'webhook-disabled': {
    readonly webhook: string
    readonly reason: string
    readonly at: string
    readonly link: string
  }
  readonly 'quota-reached': {
    readonly project: string
    readonly usedGigabytes: string
    readonly quotaGigabytes: string
    readonly link: string
  }
  readonly test: { readonly host: string }
}

export type MailKind = keyof MailParams

/** Texts of one kind. `{name}` stands for a value. */
export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Label of the button, which opens the value `link`. */
  readonly action?: string
  /** Paragraphs after the button. */
  readonly notes?: readonly string[]
}

export type MailTexts = Readonly<Record<MailKind, MailText>>
