import { expect, test } from 'vitest'
import { attachment } from './attachment.ts'

test.each([
  ['plain.mp4', 'plain.mp4', 'plain.mp4'],
  ['Übung "100%".mp4', '_bung _100__.mp4', '%C3%9Cbung%20%22100%25%22.mp4'],
  ['a\r\nSet-Cookie: x=1.mp4', 'a__Set-Cookie: x=1.mp4', 'a%0D%0ASet-Cookie%3A%20x%3D1.mp4'],
  ['a"; filename="b.exe', 'a_; filename=_b.exe', 'a%22%3B%20filename%3D%22b.exe'],
  ['a\\" x', 'a__ x', 'a%5C%22%20x'],
  ["it's (1)*.mp4", "it's (1)*.mp4", 'it%27s%20%281%29%2a.mp4'],
  ["a'b''c", "a'b''c", 'a%27b%27%27c'],
  ['\u202egpj.exe', '_gpj.exe', '%E2%80%AEgpj.exe'],
  ['../../etc/passwd', '../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
  ['\0.mp4', '_.mp4', '%00.mp4'],
  ['🎬', '_', '%F0%9F%8E%AC'],
])('the name %j becomes one quoted string and one encoded value', (name, plain, exact) => {
  expect(attachment(name)).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
  expect(attachment(name)).toMatch(/^[ -~]+$/)
})
