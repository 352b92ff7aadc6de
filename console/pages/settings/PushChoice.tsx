import { useEffect, useState } from "preact/hooks"
import { permission } from "../../lib/Desktop.ts"
import { words } from "../../lib/Language.ts"
import { look, pushes, turnOff, turnOn } from "../../lib/Push.ts"

const t = words({
  en: {
    title: "Notifications while the console is closed",
    why: "By the push service of your browser, which cannot read them.",
    failed: "That did not work. Try again later."
  },
  de: {
    title: "Mitteilungen auch bei geschlossener Konsole",
    why: "Über den Push-Dienst Ihres Browsers, der sie nicht lesen kann.",
    failed: "Das ist nicht gelungen. Versuchen Sie es später noch einmal."
  }
})

/** Choice of push messages, which arrive in this browser also while no page is open. */
export const PushChoice = () => {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const work = (doing: () => Promise<void>) => {
    setBusy(true)
    doing()
      .then(
        () => setFailed(false),
        () => setFailed(true)
      )
      .finally(() => setBusy(false))
  }
  useEffect(() => work(look), [])
  if (pushes.value === "none" || permission.value === "denied" || permission.value === "none") return null
  return (
    <>
      <label class="hint">
        <input
          type="checkbox"
          role="switch"
          checked={pushes.value === "on"}
          disabled={busy}
          onChange={() => work(pushes.value === "on" ? turnOff : turnOn)}
        />{" "}
        {t().title}
      </label>
      <p class="hint">{t().why}</p>
      {failed && (
        <p class="hint" role="alert">
          {t().failed}
        </p>
      )}
    </>
  )
}
