/** Whether the server has another version of the console than this page, and loading it. */

/** Limit for the answer. Unit: milliseconds. */
const patience = 10_000

/** Key of the address that was loaded again by itself. Reason: a page that stays broken must not load forever. */
const key = "signalbox.reloaded"

/** Address of the console's first script in a document; its name has a hash of the content. Pure. */
export const scriptOf = (html: string): string | undefined => /<script[^>]*\ssrc="([^"]+)"/.exec(html)?.[1]

/** Undefined: the server does not answer. */
export const isNewVersion = async (): Promise<boolean | undefined> => {
  try {
    const response = await fetch("/console/", { cache: "no-store", signal: AbortSignal.timeout(patience) })
    if (!response.ok) return undefined
    const own = document.querySelector("script[src]")?.getAttribute("src") ?? undefined
    return scriptOf(await response.text()) !== own
  } catch {
    return undefined
  }
}

export const reload = (): void => {
  sessionStorage.removeItem(key)
  location.reload()
}

/** Loads this address again, unless it was loaded again a moment ago. */
export const reloadOnce = (): void => {
  if (sessionStorage.getItem(key) === location.href) return
  sessionStorage.setItem(key, location.href)
  location.reload()
}

/** A page was loaded, so a later failure may load again. */
export const noteLoaded = (): void => sessionStorage.removeItem(key)
