import { useSignal } from "@preact/signals"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { extension, registration, turnOff, turnOn } from "../../softphone/Phone.ts"
import { shown } from "../../softphone/Registration.ts"
import { stateWords } from "../../softphone/StateWords.ts"
import { troubleWords } from "./TroubleWords.ts"

const t = words({
  en: {
    title: "Phone",
    extension: "Extension",
    on: "Turn on",
    off: "Turn off",
    again: "Turn on again",
    disabled: "switched off",
    hint: {
      off: "While it is on, calls to your extension ring in this browser, also while you are on other pages of the console.",
      elsewhere: "The softphone is on in another tab of this browser; it comes here when that tab is closed.",
      connecting: "One moment …",
      registered: "Calls to your extension ring here."
    }
  },
  de: {
    title: "Telefon",
    extension: "Nebenstelle",
    on: "Einschalten",
    off: "Ausschalten",
    again: "Wieder einschalten",
    disabled: "abgeschaltet",
    hint: {
      off: "Solange es an ist, klingeln Anrufe an Ihre Nebenstelle in diesem Browser, auch während Sie auf anderen Seiten der Konsole sind.",
      elsewhere:
        "Das Softphone ist in einem anderen Tab dieses Browsers an; es kommt hierher, wenn Sie jenen schließen.",
      connecting: "Einen Moment …",
      registered: "Anrufe an Ihre Nebenstelle klingeln hier."
    }
  }
})

const tones: Readonly<Record<ReturnType<typeof shown>["word"], Tone>> = {
  off: "quiet",
  elsewhere: "info",
  connecting: "warning",
  registered: "success",
  failed: "error"
}

type Own = Answer<"GET /api/v1/sip/extensions/mine">["items"][number]

/** State of the softphone, help when it is not reachable, and the on/off switch. */
export const SignOn = ({ extensions }: { readonly extensions: ReadonlyArray<Own> }) => {
  const picked = useSignal<number | undefined>(undefined)
  const { why, word } = shown(registration.value)
  const on = registration.value._tag !== "Off"
  const usable = extensions.find(({ enabled }) => enabled) ?? extensions[0]
  const id = extensions.find((one) => one.id === (picked.value ?? extension.value))?.id ?? usable?.id
  return (
    <section class="card" aria-labelledby="phone-state">
      <div class="card-head">
        <h2 id="phone-state">{t().title}</h2>
        <Badge tone={tones[word]}>{stateWords()[word]}</Badge>
      </div>
      <p role="status" class={word === "failed" ? "field-error" : "hint"}>
        {word === "failed" ? troubleWords(why ?? "unreachable") : t().hint[word]}
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          if (id !== undefined) void turnOn(id)
        }}
      >
        <label>
          {t().extension}
          <select
            name="extension"
            value={id}
            disabled={on && registration.value._tag !== "Failed"}
            onChange={({ currentTarget }) => (picked.value = Number(currentTarget.value))}
          >
            {extensions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.extension} {one.name} ({one.domain}){one.enabled ? "" : `: ${t().disabled}`}
              </option>
            ))}
          </select>
        </label>
        {registration.value._tag === "Off" || registration.value._tag === "Failed" ? (
          <button type="submit" class="primary" disabled={id === undefined}>
            {on ? t().again : t().on}
          </button>
        ) : null}
        {on ? (
          <button type="button" onClick={() => void turnOff()}>
            {t().off}
          </button>
        ) : null}
      </form>
    </section>
  )
}
