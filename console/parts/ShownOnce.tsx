import type { ComponentChildren } from "preact"
import { useFirstFocus } from "../lib/FirstFocus.ts"
import { words } from "../lib/Language.ts"
import { CopyButton } from "./CopyButton.tsx"
import "./shown-once.css"

const t = words({
  en: { copy: (what: string) => `Copy: ${what}`, close: "Done" },
  de: { copy: (what: string) => `Kopieren: ${what}`, close: "Fertig" }
})

/** A secret that the server answers only once, until the user closes it. `label`: its name. */
export const ShownOnce = ({
  children,
  close,
  label,
  secret,
  title
}: {
  readonly title: string
  readonly label: string
  readonly secret: string
  readonly close: () => void
  /** What the secret is for. */
  readonly children: ComponentChildren
}) => {
  const heading = useFirstFocus<HTMLHeadingElement>(undefined, [secret])
  return (
    <section class="card shown-once" aria-labelledby="shown-once">
      <h2 id="shown-once" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <label>
        {label}
        <textarea
          readOnly
          rows={2}
          spellcheck={false}
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="page-actions">
        <CopyButton text={secret} label={t().copy(label)} />
        <button type="button" onClick={close}>
          {t().close}
        </button>
      </div>
    </section>
  )
}
