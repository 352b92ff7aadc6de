import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { language } from "../../lib/Language.ts"
import { picturesIn, picturesOf } from "./Pictures.ts"

/** Height before the frame reports its own, and maximum height; longer mails scroll inside the frame. Unit: pixels. */
const firstHeight = 240
const maxHeight = 30_000

interface Props {
  /** HTML sanitised by the server. */
  readonly html: string
  readonly label: string
  /** Whether remote images may be loaded. Constant during the life of the frame. */
  readonly remote: boolean
}

/**
 * Shows the HTML of a mail in a sandboxed frame. The sandbox and the frame's content security policy give it a separate
 * origin, no network, and no script except `public/mail.html`'s. The content is passed in a message, and the frame can
 * only answer with its height.
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
    // The sandboxed frame has an opaque origin, which cannot be named as a target.
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
