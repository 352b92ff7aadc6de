import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Page } from "../parts/Page.tsx"
import { isNewVersion, reloadOnce, reload } from "./Version.ts"

const t = words({
  en: {
    title: "This page could not be loaded",
    away: "The server did not deliver this part of the console. It is tried again by itself.",
    renewed: "The console has a new version. It is loaded now.",
    broken: "The server answers, but this part of the console cannot be loaded. Try again, or ask an admin.",
    again: "Try again",
    back: "To the overview"
  },
  de: {
    title: "Diese Seite konnte nicht geladen werden",
    away: "Der Server hat diesen Teil der Konsole nicht geliefert. Es wird von selbst noch einmal versucht.",
    renewed: "Von der Konsole gibt es eine neue Version. Sie wird jetzt geladen.",
    broken:
      "Der Server antwortet, aber dieser Teil der Konsole lässt sich nicht laden. Versuchen Sie es noch einmal, oder " +
      "fragen Sie einen Admin.",
    again: "Noch einmal",
    back: "Zum Überblick"
  }
})

/** Interval of the attempts. Unit: milliseconds. */
const every = 3_000

/**
 * Shown instead of a page whose files could not be loaded. Asks the server until it answers, then loads the console
 * again: at once for a new version, otherwise once by itself and then by the button.
 */
export const LoadFailed = () => {
  const found = useSignal<"away" | "renewed" | "broken">("away")
  useEffect(() => {
    let ended = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const renewed = await isNewVersion()
      if (ended) return
      if (renewed === undefined) return void (timer = setTimeout(() => void look(), every))
      found.value = renewed ? "renewed" : "broken"
      reloadOnce()
    }
    void look()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [])
  return (
    <Page title={t().title}>
      <p role="status">{t()[found.value]}</p>
      <p class="page-actions">
        <button type="button" class="primary" onClick={reload}>
          {t().again}
        </button>
        <a class="button" href="/console/">
          {t().back}
        </a>
      </p>
    </Page>
  )
}
