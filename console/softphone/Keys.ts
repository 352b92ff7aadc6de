/** Sends keys during a call (DTMF): in the media stream when the other side supports it, else with SIP INFO. */
import type { Session } from "sip.js"
import type { MediaHandler } from "./MediaHandler.ts"

/**
 * Length of a tone and of the pause after it. Unit: milliseconds. Source: RFC 4733 §2.5.1.1 (at least 40); defaults of
 * common switches.
 */
const length = 160
const gap = 70

/** Keys that can be sent. Source: RFC 4733 §3.2. */
export const isKey = (key: string): boolean => /^[\d*#A-D]$/.test(key)

export const press = async (session: Session, media: MediaHandler | undefined, key: string): Promise<void> => {
  const dtmf = media?.sender?.dtmf
  // insertDTMF replaces the queue, so keys that still wait in it are sent first.
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
