import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import * as Notices from "../../lib/Notices.ts"
import { Problem } from "../../lib/Problem.ts"
import { undoable } from "../../lib/Undo.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters } from "../../parts/Address.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { DesktopChoice } from "../settings/DesktopChoice.tsx"
import { categories, categoryName } from "./Categories.ts"
import { Notice } from "./Notice.tsx"
import "../../style/notifications.css"

/** Notifications per page. */
const limit = 25

/** Update interval of texts such as "3 minutes ago". Unit: milliseconds. */
const tick = 20_000

const t = words({
  en: {
    title: "Notifications",
    readAll: "Mark all as read",
    readThese: (category: string) => `Mark all as read: ${category}`,
    areRead: "All are marked as read.",
    settings: "Settings",
    category: "Category",
    all: "All",
    unreadOnly: "Unread only",
    list: "Notifications, newest first",
    none: "Nothing yet. What happens shows up here by itself.",
    noneUnread: "Everything is read.",
    noneHere: "Nothing of this kind."
  },
  de: {
    title: "Mitteilungen",
    readAll: "Alle als gelesen markieren",
    readThese: (category: string) => `Alle als gelesen markieren: ${category}`,
    areRead: "Alle sind als gelesen markiert.",
    settings: "Einstellungen",
    category: "Kategorie",
    all: "Alle",
    unreadOnly: "Nur ungelesene",
    list: "Mitteilungen, neueste zuerst",
    none: "Noch nichts. Was geschieht, erscheint hier von selbst.",
    noneUnread: "Alles ist gelesen.",
    noneHere: "Nichts dieser Art."
  }
})

export default () => {
  const {
    set,
    value: { category, unread }
  } = useFilters({ category: "", unread: "" })
  const trail = useTrail([category, unread])
  const before = trail.value.at(-1)
  const now = useNow(tick)
  const failed = useSignal<Problem | undefined>(undefined)
  const list = useLoad(
    () =>
      call("GET /api/v1/notifications", {
        query: { limit, category, before, unread_only: unread === "" ? undefined : "true" }
      }),
    [category, unread, before, Notices.changed.value],
    { live: ["notification.created"] }
  )
  const attempt = (work: Promise<unknown>) => {
    failed.value = undefined
    work.catch((error: unknown) => {
      // A 404 means that it was removed elsewhere; the list then updates itself.
      if (error instanceof Problem && error.status !== 404) failed.value = error
    })
  }
  const others = (list.value.value?.items ?? [])
    .map((item) => item.category)
    .filter((one) => !categories.some((known) => known === one))
  const offered = [...new Set([...categories, ...others, ...(category === "" ? [] : [category])])]
  const filterable = useFilterable(list, category !== "" || unread !== "" || before !== undefined)
  return (
    <Page
      title={t().title}
      actions={
        <>
          <button
            type="button"
            disabled={(Notices.unread.value ?? 0) === 0}
            onClick={() =>
              attempt(
                undoable(
                  () => Notices.readAll(category === "" ? undefined : category),
                  () => t().areRead,
                  ({ read_at }) => Notices.unreadAll(read_at)
                )
              )
            }
          >
            {category === "" ? t().readAll : t().readThese(categoryName(category))}
          </button>
          <a class="button" href="/console/settings">
            <Icon name="settings" />
            {t().settings}
          </a>
        </>
      }
    >
      {filterable ? (
        <div class="filters">
          <label>
            {t().category}
            <select name="category" value={category} onChange={(event) => set("category", event.currentTarget.value)}>
              <option value="">{t().all}</option>
              {offered.map((one) => (
                <option key={one} value={one}>
                  {categoryName(one)}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              name="unread"
              checked={unread !== ""}
              onChange={(event) => set("unread", event.currentTarget.checked ? "1" : "")}
            />
            {t().unreadOnly}
          </label>
        </div>
      ) : null}
      <DesktopChoice brief />
      <Trouble problem={failed.value} />
      <Loading of={list}>
        {({ items: loaded, next_before }) => {
          const items = loaded.filter(({ uuid }) => !Notices.removed.value.has(uuid))
          return (
            <>
              {items.length === 0 ? (
                <p class="empty">{unread !== "" ? t().noneUnread : category !== "" ? t().noneHere : t().none}</p>
              ) : (
                <ul class="notices" aria-label={t().list}>
                  {items.map((item) => (
                    <Notice key={item.uuid} of={item} now={now} attempt={attempt} />
                  ))}
                </ul>
              )}
              <Pager trail={trail} next={next_before} />
            </>
          )
        }}
      </Loading>
    </Page>
  )
}
