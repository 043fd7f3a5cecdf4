import type { MailTexts } from './mail-kinds.ts'

export const german: MailTexts = {
  invitation: {
    subject: 'Einladung zu {account}',
    paragraphs: [
      '{inviter} hat Sie zu {account} bei Zoetrope eingeladen.',
      'Wählen Sie ein Passwort, um Ihren Benutzer anzulegen.',
    ],
    action: 'Einladung annehmen',
    notes: [
      'Der Link funktioniert einmal, bis {expiresAt}.',
      'Wenn Sie diese Einladung nicht erwarten, ignorieren Sie sie.',
    ],
  },
  'password-link': {
    subject: 'Passwort festlegen',
    paragraphs: ['Sie können für Ihren Benutzer in {account} bei Zoetrope ein neues Passwort festlegen.'],
    action: 'Passwort festlegen',
    notes: [
      'Der Link funktioniert einmal, bis {expiresAt}.',
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht. Ihr Passwort bleibt unverändert.',
    ],
  },
  'new-sign-in': {
    subject: 'Neue Anmeldung mit Ihrem Benutzer',
    paragraphs: [
      'Ihr Benutzer wurde in einem Browser angemeldet, den Zoetrope nicht kennt.',
      'Zeit: {at}\nAdresse: {address}\nBrowser: {browser}',
    ],
    action: 'Sitzungen prüfen',
    notes: [
      'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls beenden Sie die Sitzung und ändern Sie jetzt Ihr Passwort.',
    ],
  },
  'key-created': {
    subject: 'Neuer API-Schlüssel „{label}“',
    paragraphs: [
      '{creator} hat für Ihren Benutzer den API-Schlüssel „{label}“ erstellt.',
      'Zeit: {at}\nAdresse: {address}',
    ],
    action: 'API-Schlüssel prüfen',
    notes: ['Wenn Sie diesen Schlüssel nicht erwarten, widerrufen Sie ihn.'],
  },
  'app-added': {
    subject: 'Neue Authentifizierungs-App',
    paragraphs: [
      'Ihrem Benutzer wurde eine Authentifizierungs-App hinzugefügt. Für die Anmeldung mit Passwort ist jetzt auch ihr Code nötig.',
      'Zeit: {at}\nAdresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: ['Wenn Sie das nicht waren, entfernen Sie die App und ändern Sie jetzt Ihr Passwort.'],
  },
  'passkey-added': {
    subject: 'Neuer Passkey „{name}“',
    paragraphs: [
      'Ihrem Benutzer wurde der Passkey „{name}“ hinzugefügt. Damit ist die Anmeldung ohne Passwort möglich.',
      'Zeit: {at}\nAdresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: ['Wenn Sie das nicht waren, entfernen Sie den Passkey und ändern Sie jetzt Ihr Passwort.'],
  },
  'codes-refused': {
    subject: 'Falsche Codes für Ihren Benutzer',
    paragraphs: [
      'Für Ihren Benutzer wurden fünf falsche Codes eingegeben, nach Ihrem Passwort oder in einer Ihrer Sitzungen. Weitere Versuche müssen warten.',
      'Zeit: {at}\nAdresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: [
      'Wenn Sie das nicht waren, kennt eine andere Person Ihr Passwort oder nutzt Ihre Sitzung. Ändern Sie jetzt Ihr Passwort; alle anderen Sitzungen enden damit.',
    ],
  },
  'webhook-disabled': {
    subject: 'Webhook {webhook} wurde deaktiviert',
    paragraphs: [
      'Zoetrope hat den Webhook {webhook} deaktiviert, weil sein Endpunkt lange fehlgeschlagen ist oder nicht mehr existiert.',
      'Zeit: {at}\nGrund: {reason}',
    ],
    action: 'Webhook öffnen',
    notes: [
      'Wartende Zustellungen bleiben erhalten und werden gesendet, sobald Sie den Webhook wieder aktivieren.',
    ],
  },
  'quota-reached': {
    subject: 'Der Speicher des Projekts {project} ist fast aufgebraucht',
    paragraphs: [
      'Das Projekt {project} belegt {usedGigabytes} GB von {quotaGigabytes} GB.',
      'Wenn das Kontingent aufgebraucht ist, werden Uploads abgelehnt.',
    ],
    action: 'Verbrauch öffnen',
    notes: ['Löschen Sie Dateien oder erhöhen Sie das Kontingent des Projekts.'],
  },
  test: {
    subject: 'Testnachricht von Zoetrope',
    paragraphs: ['Diese Installation kann E-Mails senden: {host}.'],
  },
}
