/** Keys pressed during a call: beside the voice where the other side takes them so, else told to the switch. */
import type { Session } from "sip.js"
import type { MediaHandler } from "./MediaHandler.ts"

/**
 * Length of a key, and the pause behind it. Unit: milliseconds. Source: RFC 4733 §2.5.1.1 (at least 40), the defaults
 * of switches.
 */
const length = 160
const gap = 70

/** What can be sent. Source: RFC 4733 §3.2. */
export const isKey = (key: string): boolean => /^[\d*#A-D]$/.test(key)

export const press = async (session: Session, media: MediaHandler | undefined, key: string): Promise<void> => {
  const dtmf = media?.sender?.dtmf
  // Those that are not through yet go first.
  if (dtmf?.canInsertDTMF === true) return dtmf.insertDTMF(dtmf.toneBuffer + key, length, gap)
  await session.info({
    requestOptions: {
      body: {
        contentDisposition: "render",
        contentType: "application/dtmf-relay",
        content: `Signal=${key}\r\nDuration=${length}\r\n`
      }
    }
  })
}
