import type { MailTexts } from './mail-kinds.ts'

export const german: MailTexts = {
  invitation: {
    subject: 'Einladung zu {account}',
    paragraphs: [
      '{inviter} hat Sie zu {account} bei Zoetrope eingeladen.',
      'Wählen Sie ein Passwort, um Ihr Benutzerkonto zu erstellen.',
    ],
    action: 'Einladung annehmen',
    notes: [
      'Der Link funktioniert einmal, bis {expiresAt}.',
      'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie sie.',
    ],
  },
  'password-link': {
    subject: 'Passwort festlegen',
    paragraphs: ['Sie können für Ihr Benutzerkonto in {account} bei Zoetrope ein neues Passwort festlegen.'],
    action: 'Passwort festlegen',
    notes: [
      'Der Link funktioniert einmal, bis {expiresAt}.',
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht. Ihr Passwort bleibt unverändert.',
    ],
  },
  'new-sign-in': {
    subject: 'Neue Anmeldung mit Ihrem Benutzerkonto',
    paragraphs: [
      'Mit Ihrem Benutzerkonto hat sich jemand in einem Browser angemeldet, den Zoetrope nicht kennt.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}\nBrowser: {browser}',
    ],
    action: 'Sitzungen prüfen',
    notes: [
      'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls beenden Sie die Sitzung und ändern Sie jetzt Ihr Passwort.',
    ],
  },
  'key-created': {
    subject: 'Neuer API-Schlüssel „{label}“',
    paragraphs: [
      '{creator} hat für Ihr Benutzerkonto den API-Schlüssel „{label}“ erstellt.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    action: 'API-Schlüssel prüfen',
    notes: ['Wenn Sie diesen Schlüssel nicht erwartet haben, widerrufen Sie ihn.'],
  },
  'app-added': {
    subject: 'Neue Authenticator-App',
    paragraphs: [
      'Ihrem Benutzerkonto wurde eine Authenticator-App hinzugefügt. Für die Anmeldung mit Passwort brauchen Sie jetzt auch einen Code dieser App.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: ['Wenn Sie das nicht waren, entfernen Sie die App und ändern Sie jetzt Ihr Passwort.'],
  },
  'passkey-added': {
    subject: 'Neuer Passkey „{name}“',
    paragraphs: [
      'Ihrem Benutzerkonto wurde der Passkey „{name}“ hinzugefügt. Damit ist die Anmeldung ohne Passwort möglich.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: ['Wenn Sie das nicht waren, entfernen Sie den Passkey und ändern Sie jetzt Ihr Passwort.'],
  },
  'codes-refused': {
    subject: 'Falsche Codes für Ihr Benutzerkonto',
    paragraphs: [
      'Für Ihr Benutzerkonto wurden fünf falsche Codes eingegeben, nach der Eingabe Ihres Passworts oder in einer Ihrer Sitzungen. Weitere Versuche werden verzögert.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: [
      'Wenn Sie das nicht waren, kennt eine andere Person Ihr Passwort oder nutzt Ihre Sitzung. Ändern Sie jetzt Ihr Passwort; dadurch enden alle anderen Sitzungen.',
    ],
  },
  'password-changed': {
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      'Das Passwort Ihres Benutzerkontos wurde geändert. Alle anderen Sitzungen wurden beendet.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    action: 'Sicherheit prüfen',
    notes: ['Wenn Sie das nicht waren, setzen Sie jetzt mit „Passwort vergessen?“ ein neues Passwort.'],
  },
  'email-changed': {
    subject: 'Die E-Mail-Adresse Ihres Benutzerkontos wurde geändert',
    paragraphs: [
      '{changer} hat die E-Mail-Adresse Ihres Benutzerkontos in {email} geändert. Ab jetzt melden Sie sich mit dieser Adresse an.',
      'Zeitpunkt: {at}\nIP-Adresse: {address}',
    ],
    notes: ['Wenn Sie das nicht erwartet haben, wenden Sie sich jetzt an einen Administrator Ihres Kontos.'],
  },
  'webhook-disabled': {
    subject: 'Webhook {webhook} wurde deaktiviert',
    paragraphs: [
      'Zoetrope hat den Webhook {webhook} deaktiviert, weil Anfragen an seinen Endpunkt lange fehlgeschlagen sind oder der Endpunkt nicht mehr existiert.',
      'Zeitpunkt: {at}\nGrund: {reason}',
    ],
    action: 'Webhook öffnen',
    notes: [
      'Ausstehende Zustellungen bleiben erhalten und werden gesendet, sobald Sie den Webhook wieder aktivieren.',
    ],
  },
  'quota-reached': {
    subject: 'Der Speicher des Projekts {project} ist fast aufgebraucht',
    paragraphs: [
      'Das Projekt {project} belegt {usedGigabytes} GB seines Kontingents von {quotaGigabytes} GB.',
      'Wenn das Kontingent aufgebraucht ist, werden Uploads abgelehnt.',
    ],
    action: 'Nutzung öffnen',
    notes: ['Löschen Sie Dateien oder erhöhen Sie das Kontingent des Projekts.'],
  },
  test: {
    subject: 'Testnachricht von Zoetrope',
    paragraphs: ['Diese Installation kann E-Mails senden: {host}.'],
  },
}
