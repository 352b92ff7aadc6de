/**
 * Decodes a container's log: frames, lines and times. Pure, but keeps the unfinished frame and line of a stream.
 * Frames, lines and UTF-8 characters may be split anywhere. Source: Docker Engine API 1.44, ContainerAttach, "Stream
 * format".
 */
import { StringDecoder } from "node:string_decoder"

export interface RawLine {
  readonly stream: "stdout" | "stderr"
  /** Null when the line does not start with a time. */
  readonly at: Date | null
  /** May contain control characters. Invalid UTF-8 is replaced by U+FFFD. */
  readonly text: string
  /** The rest of the line was dropped. */
  readonly cut: boolean
}

/** Longest line. Unit: bytes. Reason: fills a screen; a dump without line ends must not fill the memory. */
export const maxLineBytes = 8 * 1024

/** Size of the header of a frame. Unit: bytes. */
const headerBytes = 8

/** The log is not in the stream format. */
export class NotFramed extends Error {}

export interface LogReader {
  /** Complete lines. Throws `NotFramed`. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<RawLine>
  /** Lines without a line end at the end of the log. */
  readonly end: () => ReadonlyArray<RawLine>
}

/**
 * `tty`: the container has a terminal, so its log is one stream without frames. `timed`: each line starts with its
 * time, which the output of an attached container lacks.
 */
export const makeReader = (options: { readonly tty: boolean; readonly timed: boolean }): LogReader => {
  const lines = { stdout: lineReader("stdout", options.timed), stderr: lineReader("stderr", options.timed) }
  let header = Buffer.alloc(0)
  let left = 0
  let stream: "stdout" | "stderr" = "stdout"
  /** Begin of a frame that continues a line. Such a frame has a time too, which is not a part of the line. */
  let begin: Buffer | undefined
  return {
    push: (chunk) => {
      if (options.tty) return lines.stdout.push(chunk)
      const found: Array<RawLine> = []
      let at = 0
      while (at < chunk.length) {
        if (left === 0) {
          const part = chunk.subarray(at, at + headerBytes - header.length)
          header = Buffer.concat([header, part])
          at += part.length
          if (header.length < headerBytes) break
          stream = streamOf(header)
          left = header.readUInt32BE(4)
          header = Buffer.alloc(0)
          begin = options.timed && left > 0 && lines[stream].isOpen() ? Buffer.alloc(0) : undefined
        } else if (begin !== undefined) {
          const part = chunk.subarray(at, at + Math.min(left, longestTime - begin.length))
          begin = Buffer.concat([begin, part])
          at += part.length
          left -= part.length
          if (left > 0 && begin.length < longestTime) break
          const time = timePattern.exec(begin.toString("latin1"))?.[0] ?? ""
          for (const line of lines[stream].push(begin.subarray(time.length))) found.push(line)
          begin = undefined
        } else {
          const part = chunk.subarray(at, at + left)
          for (const line of lines[stream].push(part)) found.push(line)
          at += part.length
          left -= part.length
        }
      }
      return found
    },
    end: () => [...lines.stdout.end(), ...lines.stderr.end()]
  }
}

/** Stream 0 is stdin, which Docker writes as stdout. Stream 3 carries errors of the engine. */
const streamOf = (header: Buffer): "stdout" | "stderr" => {
  if (header[0]! > 3 || header[1] !== 0 || header[2] !== 0 || header[3] !== 0) throw new NotFramed()
  return header[0]! >= 2 ? "stderr" : "stdout"
}

const lineFeed = 10

const lineReader = (stream: RawLine["stream"], isTimed: boolean) => {
  let parts: Array<Uint8Array> = []
  let size = 0
  let cut = false
  const add = (part: Uint8Array) => {
    const kept = part.subarray(0, maxLineBytes - size)
    cut ||= kept.length < part.length
    size += kept.length
    // A copy, because the rest of the chunk would otherwise live as long as this line.
    if (kept.length > 0) parts.push(Uint8Array.from(kept))
  }
  const take = (): RawLine => {
    const decoder = new StringDecoder("utf8")
    const bytes = Buffer.concat(parts)
    // A cut may split a character; only complete ones are kept.
    const text = decoder.write(bytes) + (cut ? "" : decoder.end())
    const line = isTimed ? timed(stream, text, cut) : { stream, at: null, text, cut }
    parts = []
    size = 0
    cut = false
    return line
  }
  return {
    /** Whether the last line has no end yet. */
    isOpen: () => size > 0 || cut,
    push: (chunk: Uint8Array): ReadonlyArray<RawLine> => {
      const found: Array<RawLine> = []
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        add(chunk.subarray(from, end))
        found.push(take())
        from = end + 1
      }
      add(chunk.subarray(from))
      return found
    },
    end: (): ReadonlyArray<RawLine> => (size === 0 ? [] : [take()])
  }
}

/** RFC 3339 with up to nanoseconds, and the blank after it. Source: `timestamps=1`. */
const timePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?/

/** Longest such time with its blank. Unit: bytes. */
const longestTime = "2026-01-02T03:04:05.123456789+01:00 ".length

const timed = (stream: RawLine["stream"], text: string, cut: boolean): RawLine => {
  const found = timePattern.exec(text)
  const at = new Date(found?.[1] ?? "")
  return Number.isNaN(at.getTime())
    ? { stream, at: null, text, cut }
    : { stream, at, text: text.slice(found![0].length), cut }
}
