/** Speaks notifications that their reader wants to hear. Of several open tabs one speaks. */
import { language } from "./Language.ts"
import type { Notice } from "./Notices.ts"
import { on } from "./Socket.ts"

/**
 * How long a tab keeps other tabs from speaking the same notification. Unit: milliseconds. Reason: a tab in the
 * background may get the event seconds later.
 */
const kept = 10_000

on("notification.created", ({ data }) => {
  if (data["speech"] !== true || !("speechSynthesis" in globalThis)) return
  const notice = data as unknown as Notice
  void navigator.locks.request(`signalbox.spoken.${notice.uuid}`, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : speak(notice)
  )
})

const speak = ({ body, title }: Notice): Promise<void> => {
  const spoken = new SpeechSynthesisUtterance(`${title}. ${body}`)
  spoken.lang = language.peek()
  speechSynthesis.speak(spoken)
  return new Promise((resolve) => setTimeout(resolve, kept))
}
