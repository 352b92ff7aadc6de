import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { language } from "../../lib/Language.ts"
import { picturesIn, picturesOf } from "./Pictures.ts"

/** Before its page has told its height, and the most that it gets; what is longer is scrolled within. Unit: pixels. */
const firstHeight = 240
const maxHeight = 30_000

interface Props {
  /** Cleaned by the server. */
  readonly html: string
  readonly label: string
  /** Whether pictures of the net may be loaded. Stays as it is for one frame. */
  readonly remote: boolean
}

/**
 * A mail's page in a place of its own: another origin, no network, no script but `public/mail.html`'s, by its policy
 * and by the frame's sandbox. What is in it gets there by a message and can answer with its height alone.
 */
export const MailFrame = ({ html, label, remote }: Props) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const height = useSignal(firstHeight)
  const loaded = useSignal(0)
  useEffect(() => {
    const heard = ({ data, source }: MessageEvent) => {
      if (
        source !== frame.current?.contentWindow ||
        data?.kind !== "height" ||
        typeof data.height !== "number" ||
        !(data.height >= 0)
      )
        return
      height.value = Math.min(Math.ceil(data.height), maxHeight)
    }
    addEventListener("message", heard)
    return () => removeEventListener("message", heard)
  }, [])
  useEffect(() => {
    if (loaded.value === 0) return
    const gone = new AbortController()
    // Its origin is none that could be named.
    const show = (pictures: ReadonlyMap<string, Blob>) =>
      frame.current?.contentWindow?.postMessage(
        { kind: "mail", html, pictures, remote, lang: language.peek(), title: label },
        "*"
      )
    show(new Map())
    const paths = picturesIn(html)
    if (paths.length > 0) void picturesOf(paths, gone.signal).then((pictures) => gone.signal.aborted || show(pictures))
    return () => gone.abort()
  }, [html, loaded.value])
  return (
    <iframe
      ref={frame}
      class="mail-frame"
      title={label}
      src={remote ? "/console/mail-images.html" : "/console/mail.html"}
      height={height.value}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      onLoad={() => loaded.value++}
    />
  )
}
