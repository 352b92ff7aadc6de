import { bytes } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { attachmentPath, save } from "./Download.ts"
import type { Attachment, Message } from "./Shapes.ts"

const t = words({
  en: { files: "Files", save: (name: string) => `Save ${name}` },
  de: { files: "Dateien", save: (name: string) => `${name} speichern` }
})

/** Attachments to list. Images that the message itself shows are left out. */
export const filesOf = ({ attachments, html }: Pick<Message, "attachments" | "html">): ReadonlyArray<Attachment> =>
  attachments.filter(
    ({ inline, media_type }) => html === null || !inline || !/^image\/(?:png|jpeg|gif|webp)$/.test(media_type)
  )

/** Downloads for the attachments of a message. */
export const Attachments = ({
  account,
  message
}: {
  readonly account: string | undefined
  readonly message: Message
}) => {
  const doing = useDoing()
  const files = filesOf(message)
  return files.length === 0 ? null : (
    <section class="files" aria-label={t().files}>
      <ul>
        {files.map((file) => (
          <li key={file.part}>
            <button
              type="button"
              title={t().save(file.filename)}
              disabled={doing.busy.value}
              onClick={() => void doing.run(() => save(attachmentPath(account, message, file.part), file.filename))}
            >
              <Icon name="clip" />
              <span class="name">{file.filename}</span> <small>{bytes(file.size)}</small>
            </button>
          </li>
        ))}
      </ul>
      <Trouble problem={doing.problem.value} />
    </section>
  )
}
