import type { Signal } from "@preact/signals"
import type { JSX } from "preact"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"

const t = words({
  en: { none: "No picture", preview: "Current picture" },
  de: { none: "Kein Bild", preview: "Aktuelles Bild" }
})

type Input = Answer<"GET /api/v1/settings/platform">["items"][number]["input"]

/** The field of a setting: a line, a text of several lines, a colour, or a file that becomes a data: address. */
export const Field = ({
  field,
  input,
  secret,
  typed
}: {
  readonly input: Input
  readonly secret: boolean
  readonly typed: Signal<string>
  /** Attributes that every kind of field has. */
  readonly field: Readonly<Record<string, unknown>>
}): JSX.Element => {
  if (input === "image") {
    const { disabled, id } = field as { readonly disabled: boolean; readonly id: string }
    return (
      <>
        {typed.value.startsWith("data:image/") ? (
          <img class="setting-picture" src={typed.value} alt={t().preview} width="48" height="48" />
        ) : (
          <span class="soft">{t().none}</span>
        )}
        <input
          type="file"
          id={id}
          disabled={disabled}
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={`${id}-help`}
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file !== undefined) typed.value = await addressOf(file)
          }}
        />
      </>
    )
  }
  if (input === "long") return <textarea rows={4} {...field} />
  if (input === "colour") return <input type="text" inputMode="text" maxLength={7} {...field} />
  return secret ? <input type="password" {...field} /> : <input type="text" {...field} />
}

/** The file as data: address. */
const addressOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result)))
    reader.addEventListener("error", () => reject(new Error("the file cannot be read")))
    reader.readAsDataURL(file)
  })
