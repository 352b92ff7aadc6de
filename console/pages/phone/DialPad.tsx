import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { words } from "../../lib/Language.ts"
import { Icon } from "../../parts/Icon.tsx"
import { isFree, isTalking } from "../../softphone/CallState.ts"
import { call, dial, press, registration } from "../../softphone/Phone.ts"
import { dialled } from "../../softphone/Target.ts"

const t = words({
  en: {
    title: "Dial pad",
    number: "Number or extension",
    call: "Call",
    wrong: "That is no number: digits, + * #, or the name of an extension.",
    tones: "Keys sent to the other side",
    star: "star",
    hash: "hash",
    signIn: "Turn the softphone on first.",
    pad: "Keys"
  },
  de: {
    title: "Wählfeld",
    number: "Nummer oder Nebenstelle",
    call: "Anrufen",
    wrong: "Das ist keine Nummer: Ziffern, + * #, oder der Name einer Nebenstelle.",
    tones: "An die Gegenseite gesendete Tasten",
    star: "Stern",
    hash: "Raute",
    signIn: "Schalten Sie zuerst das Softphone ein.",
    pad: "Tasten"
  }
})

/** Keys with their letters. Source: ITU-T E.161. */
const keys = [
  ["1", ""],
  ["2", "ABC"],
  ["3", "DEF"],
  ["4", "GHI"],
  ["5", "JKL"],
  ["6", "MNO"],
  ["7", "PQRS"],
  ["8", "TUV"],
  ["9", "WXYZ"],
  ["*", ""],
  ["0", "+"],
  ["#", ""]
] as const

/** Dial pad for a number to call; during a call its keys are sent to the other side. */
export const DialPad = () => {
  // A link only fills in the number: the user dials.
  const text = useSignal(dialled(useLocation().query["number"] ?? "") ?? "")
  const wrong = useSignal(false)
  const field = useRef<HTMLInputElement>(null)
  const now = call.value
  const talking = isTalking(now)
  const ready = registration.value._tag === "Registered"
  const push = (key: string) => {
    if (talking) return press(key)
    text.value += key
    wrong.value = false
  }
  return (
    <section
      class="card"
      aria-labelledby="dial-pad"
      onKeyDown={(event) => {
        if (!talking || event.ctrlKey || event.altKey || event.metaKey || !/^[\d*#]$/.test(event.key)) return
        event.preventDefault()
        press(event.key)
      }}
    >
      <h2 id="dial-pad">{t().title}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const number = dialled(text.value)
          wrong.value = number === undefined
          if (number === undefined) field.current?.focus()
          else if (dial(number)) text.value = ""
        }}
      >
        {talking ? (
          <p class="tones">
            <span class="tones-label">{t().tones}</span>
            <output aria-label={t().tones}>{now.tones}</output>
          </p>
        ) : (
          <label class="dial-number">
            {t().number}
            <input
              ref={field}
              type="tel"
              name="number"
              autocomplete="off"
              maxLength={64}
              value={text.value}
              aria-invalid={wrong.value}
              aria-describedby="dial-problem"
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value
                wrong.value = false
              }}
            />
          </label>
        )}
        <div class="keys" role="group" aria-label={t().pad}>
          {keys.map(([key, letters]) => (
            <button key={key} type="button" onClick={() => push(key)}>
              <span>
                {key}
                {key === "*" || key === "#" ? <span class="sr"> {key === "*" ? t().star : t().hash}</span> : null}
              </span>{" "}
              <small>{letters}</small>
            </button>
          ))}
        </div>
        <p id="dial-problem" role="status" class="field-error">
          {wrong.value ? t().wrong : ""}
        </p>
        <p class="dial">
          <button type="submit" class="primary" disabled={!ready || !isFree(now)}>
            <Icon name="phone" />
            {t().call}
          </button>
          {ready ? null : <span class="hint">{t().signIn}</span>}
        </p>
      </form>
    </section>
  )
}
