/**
 * Checks of a voice message before it is sent. Pure. Source: Bot API, sendVoice ("an .OGG file encoded with OPUS").
 * Newer servers also accept MP3 and M4A and show other files as documents. OGG with Opus works on all servers.
 */

/** Largest voice file. Unit: bytes. Source: Bot API, sendVoice, up to 50 MB. */
export const maxVoiceBytes = 50 * 1024 * 1024

/**
 * Longest caption. Unit: UTF-16 units. Source: Bot API, sendVoice `caption`: 0–1024 characters after entity parsing;
 * plain text has no entities.
 */
export const maxCaptionLength = 1_024

/** File name of an upload. The API ignores it; people see it when they save the file. */
export const defaultVoiceName = "voice.ogg"

export interface OutgoingVoice {
  /** Integer, or `@channel`. */
  readonly chatId: string
  /** Content of a complete OGG file with one Opus stream. */
  readonly voice: Uint8Array
  /** Default `defaultVoiceName`. */
  readonly name?: string
  /** Plain text of at most `maxCaptionLength`. */
  readonly caption?: string
  /** Length of the recording. Unit: milliseconds; sent as whole seconds, at least 1. */
  readonly durationMs?: number
}

/**
 * Reason why the API would refuse the message or not show it as a voice message; undefined when the checks find none.
 */
export const voiceProblem = ({ caption = "", voice }: OutgoingVoice): string | undefined => {
  if (voice.length === 0) return "the voice file is empty"
  if (voice.length > maxVoiceBytes) return `the voice file has ${voice.length} bytes, more than ${maxVoiceBytes}`
  if (!isOggOpus(voice)) return "the voice file is not OGG with Opus"
  if (caption.length > maxCaptionLength) return `the caption has ${caption.length} units, more than ${maxCaptionLength}`
  return undefined
}

/** Length of an OGG page header without its segment table. Unit: bytes. Source: RFC 3533 §6. */
const pageHeader = 27

/**
 * Whether the first page begins a stream (RFC 3533 §6) and its packet is the Opus identification header (RFC 7845
 * §5.1).
 */
export const isOggOpus = (bytes: Uint8Array): boolean => {
  const beginsStream = 0x02
  if (bytes.length < pageHeader || ascii(bytes, 0, 4) !== "OggS" || bytes[4] !== 0 || (bytes[5]! & beginsStream) === 0)
    return false
  return ascii(bytes, pageHeader + bytes[26]!, 8) === "OpusHead"
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  Buffer.from(bytes.subarray(from, from + length)).toString("latin1")
