import type { Signal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import { bothMoments } from "../../lib/Format.ts"
import { Icon } from "../../parts/Icon.tsx"
import { type Change, star, unstar } from "./Actions.ts"
import { day } from "./Day.ts"
import { composeHref, messageHref, type Place } from "./Place.ts"
import type { Row } from "./Shapes.ts"

const t = words({
  en: {
    caption: "Mails",
    choose: (subject: string) => `Choose ${subject}`,
    all: "Choose all on this page",
    star: "Star",
    subject: "Subject",
    from: "From",
    date: "Date",
    starred: (subject: string) => `Starred: ${subject}`,
    noSubject: "(no subject)",
    unread: "unread",
    answered: "answered",
    files: "with files"
  },
  de: {
    caption: "Mails",
    choose: (subject: string) => `${subject} wählen`,
    all: "Alle auf dieser Seite wählen",
    star: "Markierung",
    subject: "Betreff",
    from: "Von",
    date: "Datum",
    starred: (subject: string) => `Markiert: ${subject}`,
    noSubject: "(kein Betreff)",
    unread: "ungelesen",
    answered: "beantwortet",
    files: "mit Dateien"
  }
})

interface Props {
  readonly chosen: Signal<ReadonlySet<number>>
  /** Whether rows open in the editor. */
  readonly drafts: boolean
  readonly items: ReadonlyArray<Row>
  readonly mark: (row: Row, what: Change) => void
  /** Whether rows show recipients, because the sender is always the user. */
  readonly outgoing: boolean
  readonly place: Place
}

/** One page of messages, one row each. */
export const Rows = ({ chosen, drafts, items, mark, outgoing, place }: Props) => {
  const choose = (uids: ReadonlyArray<number>, on: boolean) => {
    const next = new Set(chosen.value)
    for (const uid of uids) next[on ? "add" : "delete"](uid)
    chosen.value = next
  }
  const all = items.length > 0 && items.every(({ uid }) => chosen.value.has(uid))
  return (
    <table class={outgoing ? "mails outgoing" : "mails"} data-plain>
      <caption class="sr">{t().caption}</caption>
      <thead>
        <tr>
          <th class="pick">
            <input
              type="checkbox"
              aria-label={t().all}
              checked={all}
              onChange={() =>
                choose(
                  items.map(({ uid }) => uid),
                  !all
                )
              }
            />
          </th>
          <th class="star">
            <span class="sr">{t().star}</span>
          </th>
          {outgoing ? null : <th class="from">{t().from}</th>}
          <th>{t().subject}</th>
          <th class="date">{t().date}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((row) => {
          const subject = row.subject === "" ? t().noSubject : row.subject
          return (
            <tr key={row.uid} class={`${row.seen ? "" : "unread"} ${chosen.value.has(row.uid) ? "chosen" : ""}`}>
              <td class="pick">
                <input
                  type="checkbox"
                  aria-label={t().choose(subject)}
                  checked={chosen.value.has(row.uid)}
                  onChange={(event) => choose([row.uid], event.currentTarget.checked)}
                />
              </td>
              <td class="star">
                <button
                  type="button"
                  class={row.flagged ? "plain on" : "plain"}
                  aria-pressed={row.flagged}
                  aria-label={t().starred(subject)}
                  onClick={() => mark(row, row.flagged ? unstar : star)}
                >
                  <Icon name="star" />
                </button>
              </td>
              {outgoing ? null : (
                <td class="from" title={row.from_addr}>
                  {row.from_name === "" ? row.from_addr : row.from_name}
                </td>
              )}
              <td class="subject">
                {outgoing ? null : (
                  <span class="from-narrow">{row.from_name === "" ? row.from_addr : row.from_name}</span>
                )}
                <a
                  href={
                    drafts
                      ? composeHref(place.account, { draft: String(row.uid), folder: place.folder })
                      : messageHref(place, row.uid)
                  }
                >
                  {row.seen ? null : <span class="sr">{t().unread}: </span>}
                  {subject}
                </a>
                {row.answered ? (
                  <span class="mark" title={t().answered}>
                    <Icon name="reply" />
                    <span class="sr">{t().answered}</span>
                  </span>
                ) : null}
                {row.has_attachments ? (
                  <span class="mark" title={t().files}>
                    <Icon name="clip" />
                    <span class="sr">{t().files}</span>
                  </span>
                ) : null}
              </td>
              <td class="date">
                {row.date === null ? (
                  ""
                ) : (
                  <time dateTime={row.date} title={bothMoments(row.date)}>
                    {day(row.date)}
                  </time>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
