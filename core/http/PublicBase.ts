/** Public base address of this installation, for links and for the return from other sites. */
import * as Settings from "../config/Settings.ts"
import { stored } from "../settings/StoredSetting.ts"

/** Address at which browsers reach this installation. */
export const publicUrl = stored(
  Settings.httpAddress("SIGNALBOX_PUBLIC_URL", {
    doc: "Public address, for links and for the callbacks of OpenID providers; unset: the address it listens on"
  }),
  {
    group: "addresses",
    title: { en: "Public address", de: "Öffentliche Adresse" },
    help: {
      en:
        "Address at which browsers reach this installation, such as https://box.example.org. With a wrong one nobody " +
        "can sign in; `bin/signalbox settings unset SIGNALBOX_PUBLIC_URL` removes it.",
      de:
        "Adresse, unter der Browser diese Installation erreichen, zum Beispiel https://box.example.org. Mit einer " +
        "falschen kann sich niemand anmelden; `bin/signalbox settings unset SIGNALBOX_PUBLIC_URL` entfernt sie."
    }
  }
)

/**
 * The public address, or the address of the request when none is configured; without trailing slash. Pure. A forged
 * `host` misleads only its sender. The listener has removed forwarded headers of untrusted proxies.
 */
export const publicBase = (
  publicUrl: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): string => {
  if (publicUrl !== undefined) return publicUrl
  const host = headers["host"] ?? ""
  const base = `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`
  return hostForm.test(host) && URL.canParse(base) ? base : "http://localhost"
}

/** A host name or address with optional port. Excludes characters that could become part of a path. */
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
