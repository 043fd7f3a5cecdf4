import { parseAttributes } from './attribute-list.ts'
import type { LowLatencyFields, Part, RenditionReport, ServerControl } from './low-latency.ts'

const yesOrNo = ['YES', 'NO'] as const

interface Tag {
  readonly name: string
  readonly value: string
  readonly lineNumber: number
}

/** Low-latency tags read so far. `openParts` holds the parts since the last complete segment. */
export interface LowLatencyProgress extends LowLatencyFields {
  openParts: Part[]
  renditionReports: RenditionReport[]
}

export function readLowLatencyTag(progress: LowLatencyProgress, tag: Tag): void {
  const attributes = () => parseAttributes(tag.value, tag.lineNumber)
  switch (tag.name) {
    case 'EXT-X-SERVER-CONTROL':
      progress.serverControl = parseServerControl(tag)
      return
    case 'EXT-X-PART-INF':
      progress.partTargetSeconds = required(tag, 'PART-TARGET')
      return
    case 'EXT-X-SKIP':
      progress.skippedSegments =
        attributes().integer('SKIPPED-SEGMENTS') ?? attributes().fail('SKIPPED-SEGMENTS is missing.')
      return
    case 'EXT-X-PART':
      progress.openParts.push(parsePart(tag))
      return
    case 'EXT-X-PRELOAD-HINT':
      if (attributes().token('TYPE') === 'PART') progress.preloadHintUri = requiredUri(tag)
      return
    case 'EXT-X-RENDITION-REPORT':
      progress.renditionReports.push(parseReport(tag))
  }
}

function parsePart(tag: Tag): Part {
  const attributes = parseAttributes(tag.value, tag.lineNumber)
  if (attributes.string('BYTERANGE') !== undefined)
    attributes.fail('A part in a byte range is not supported.')
  return {
    uri: requiredUri(tag),
    durationSeconds: required(tag, 'DURATION'),
    ...(attributes.choice('INDEPENDENT', yesOrNo) === 'YES' && { isIndependent: true }),
    ...(attributes.choice('GAP', yesOrNo) === 'YES' && { isGap: true }),
  }
}

function parseServerControl({ value, lineNumber }: Tag): ServerControl {
  const attributes = parseAttributes(value, lineNumber)
  const partHoldBackSeconds = attributes.number('PART-HOLD-BACK')
  const holdBackSeconds = attributes.number('HOLD-BACK')
  const canSkipUntilSeconds = attributes.number('CAN-SKIP-UNTIL')
  return {
    canBlockReload: attributes.choice('CAN-BLOCK-RELOAD', yesOrNo) === 'YES',
    ...(partHoldBackSeconds !== undefined && { partHoldBackSeconds }),
    ...(holdBackSeconds !== undefined && { holdBackSeconds }),
    ...(canSkipUntilSeconds !== undefined && { canSkipUntilSeconds }),
  }
}

function parseReport(tag: Tag): RenditionReport {
  const attributes = parseAttributes(tag.value, tag.lineNumber)
  const lastPart = attributes.integer('LAST-PART')
  return {
    uri: requiredUri(tag),
    lastMediaSequence: attributes.integer('LAST-MSN') ?? attributes.fail('LAST-MSN is missing.'),
    ...(lastPart !== undefined && { lastPart }),
  }
}

function required({ value, lineNumber }: Tag, name: string): number {
  const attributes = parseAttributes(value, lineNumber)
  return attributes.number(name) ?? attributes.fail(`${name} is missing.`)
}

function requiredUri({ value, lineNumber }: Tag): string {
  const attributes = parseAttributes(value, lineNumber)
  return attributes.string('URI') ?? attributes.fail('URI is missing.')
}
