/** Loads the files of a page. A failure becomes a page that says so, because a rejected load would show nothing. */
import type { PageEntry } from "./PageEntry.ts"
import { LoadFailed } from "./LoadFailed.tsx"
import { noteLoaded } from "./Version.ts"

/** Pause before the second attempt. Unit: milliseconds. Reason: a connection that was cut is back within moments. */
const pause = 500

export const loadPage = (load: PageEntry["load"]): PageEntry["load"] => {
  const loaded = async () => {
    const page = await load()
    noteLoaded()
    return page
  }
  return () =>
    loaded().catch(() =>
      new Promise((resolve) => setTimeout(resolve, pause)).then(loaded).catch(() => ({ default: LoadFailed }))
    )
}
