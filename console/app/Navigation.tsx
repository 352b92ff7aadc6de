import { useId } from "preact/hooks"
import { words } from "../lib/Language.ts"
import { Icon } from "../parts/Icon.tsx"
import { type GroupName, groupNames, groupTitle } from "./Groups.ts"
import { mayOpen } from "./PageEntry.ts"
import { pages } from "./Pages.ts"

const t = words({ en: { navigation: "Pages" }, de: { navigation: "Seiten" } })

/** Links to the pages that the user may open, in groups. `path`: the current path. */
export const Navigation = ({ open, path }: { readonly path: string; readonly open: boolean }) => (
  <nav id="navigation" class={open ? "open" : ""} aria-label={t().navigation}>
    <div class="groups">
      {groupNames.map((name) => (
        <Group key={name} name={name} path={path} />
      ))}
    </div>
  </nav>
)

const Group = ({ name, path }: { readonly name: GroupName; readonly path: string }) => {
  const id = useId()
  const found = pages.filter((page) => page.nav?.group === name && mayOpen(page))
  if (found.length === 0) return null
  return (
    <section>
      <p id={id} class={name === "home" ? "sr" : "group-title"}>
        {groupTitle(name)}
      </p>
      <ul aria-labelledby={id}>
        {found.map(({ nav, path: at }) => (
          <li key={at}>
            <a href={`/console${at}`} aria-current={isAt(path, `/console${at}`) ? "page" : undefined}>
              <Icon name={nav!.icon} />
              {nav!.title()}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whether a navigation entry belongs to the current page or to a page above it. */
const isAt = (path: string, entry: string): boolean =>
  path === entry || `${path}/` === entry || (entry !== "/console/" && path.startsWith(`${entry}/`))
