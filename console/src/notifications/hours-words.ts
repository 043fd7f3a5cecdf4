import { defineWords } from '../shell/words.ts'

export const useHoursWords = defineWords('webhook-hours', {
  en: {
    requests: 'Requests by hour',
    requestsDrawn: 'Of the last 48 hours: {{delivered}} delivered, {{failed}} failed.',
    latency: 'Time to answer',
    latencyDrawn: 'Lately half of the answers took at most {{p50}}, and 95\u00A0% at most {{p95}}.',
    nothing: 'Nothing was sent in the last 48 hours.',
    delivered: 'Delivered',
    failed: 'Failed',
    p50: 'Half of them (p50)',
    p95: '95\u00A0% of them (p95)',
    table: 'As a table',
    hour: 'Hour',
    leftOut: 'Hours in which nothing was sent are left out.',
  },
  de: {
    requests: 'Anfragen je Stunde',
    requestsDrawn: 'In den letzten 48 Stunden: {{delivered}} zugestellt, {{failed}} fehlgeschlagen.',
    latency: 'Zeit bis zur Antwort',
    latencyDrawn: 'Zuletzt brauchte die Hälfte der Antworten höchstens {{p50}}, 95\u00A0% höchstens {{p95}}.',
    nothing: 'In den letzten 48 Stunden wurde nichts gesendet.',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    p50: 'Die Hälfte (p50)',
    p95: '95\u00A0% davon (p95)',
    table: 'Als Tabelle',
    hour: 'Stunde',
    leftOut: 'Stunden, in denen nichts gesendet wurde, fehlen.',
  },
})
