import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { language, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { RecordTable } from "./RecordTable.tsx"

const t = words({
  en: {
    title: "What belongs in DNS",
    caption: "Records",
    mail: "For mail",
    zone: "As lines of a zone file",
    copy: "Copy",
    copied: "Copied.",
    failed: "This browser does not let us copy.",
    steps: "What to do"
  },
  de: {
    title: "Was im DNS stehen soll",
    caption: "Einträge",
    mail: "Für Mail",
    zone: "Als Zeilen einer Zonendatei",
    copy: "Kopieren",
    copied: "Kopiert.",
    failed: "Dieser Browser erlaubt das Kopieren nicht.",
    steps: "Was zu tun ist"
  }
})

/** Required DNS records, which of them exist, and text to copy into a zone. A new `version` loads them again. */
export const Instructions = ({ id, version }: { readonly id: number; readonly version: string }) => {
  const asked = useLoad(
    () => call("GET /api/v1/domains/:id/dns-instructions", { params: { id }, query: { lang: language.value } }),
    [id, version, language.value]
  )
  return (
    <section class="card" aria-labelledby="instructions">
      <h2 id="instructions">{t().title}</h2>
      <Loading of={asked}>
        {({ mail_records, required_records, steps, verification_status, zone_snippet }) => (
          <>
            <p>{verification_status}</p>
            {steps.length === 0 ? null : (
              <>
                <h3>{t().steps}</h3>
                <ol>
                  {steps.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
              </>
            )}
            <RecordTable caption={t().caption} items={required_records} />
            {mail_records.length === 0 ? null : (
              <>
                <h3>{t().mail}</h3>
                <RecordTable caption={t().mail} items={mail_records} />
              </>
            )}
            <Snippet text={zone_snippet} />
          </>
        )}
      </Loading>
    </section>
  )
}

const Snippet = ({ text }: { readonly text: string }) => {
  const said = useSignal<"copied" | "failed" | undefined>(undefined)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => (said.value = "copied"),
      () => (said.value = "failed")
    )
  return (
    <details>
      <summary>{t().zone}</summary>
      <pre class="snippet" tabIndex={0}>
        {text}
      </pre>
      <button type="button" class="small" onClick={copy}>
        {t().copy}
      </button>{" "}
      <small role="status">{said.value === undefined ? "" : t()[said.value]}</small>
    </details>
  )
}
